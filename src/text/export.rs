//! Export.

use super::Word;

/// Heading and button.
pub const HEADING: Word = Word("Export");
/// Section: what is on the screen.
pub const PICTURES: Word = Word("Pictures, with a caption that holds the link");
/// Section: the whole run.
pub const RUN: Word = Word("The whole run of the shown lane");
/// Section: the scenario.
pub const SCENARIO: Word = Word("The scenario");
/// Button.
pub const SCENARIO_JSON: Word = Word("Scenario as JSON");
/// What a format is for, by its key.
pub fn format(key: &str) -> (Word, Word) {
    match key {
        "chrome" => (
            Word("Trace for Perfetto"),
            Word("Chrome JSON: CPUs, tasks, wake-up arrows; also chrome://tracing and speedscope"),
        ),
        "ftrace" => (
            Word("ftrace text"),
            Word("for Perfetto, and Trace Compass with its ftrace add-on; opens here again as a workload"),
        ),
        "trace-dat" => (Word("trace.dat"), Word("for KernelShark and trace-cmd")),
        "intervals" => (Word("Intervals, CSV"), Word("what each task did, from when to when")),
        "metrics" => (Word("Metrics, CSV"), Word("times, shares, switches and latencies per task")),
        "svg" => (Word("Lanes of the whole run, SVG"), Word("every CPU from start to end")),
        _ => (Word("One HTML page"), Word("picture, tables and link; opens without network")),
    }
}
/// Names of the pictures, by the part of the page.
pub fn picture(key: &str) -> Word {
    match key {
        "timeline" => Word("Timeline"),
        "structures" => Word("Structures"),
        _ => Word("Graphs"),
    }
}
/// While it is written.
pub fn progress(percent: u32) -> String {
    Word("writing, {0} %").fill(&[&percent])
}
/// Button.
pub const CANCEL: Word = Word("Stop");
/// It is saved.
pub fn saved(name: &str) -> String {
    Word("saved as {0}").fill(&[&name])
}
/// Nothing runs.
pub const NOTHING: Word = Word("there is no run yet");
/// Another scenario runs meanwhile.
pub const ANOTHER: Word = Word("the scenario was changed meanwhile; nothing was saved");
/// The tools are not there.
pub const NO_TOOLS: Word = Word(
    "the export tools could not be loaded: you may be offline on a first visit, or a newer version is out; reload the page",
);
/// A part of the page that is not shown.
pub const NOT_SHOWN: Word = Word("this part of the page is not on the screen");
/// A picture the browser refused.
pub const NO_PICTURE: Word = Word("the browser did not make the picture; try SVG");

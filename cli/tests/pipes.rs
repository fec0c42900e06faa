//! What happens when nobody reads the output any more, as in `schedscope run x | head -1`.
#![cfg(unix)]

use std::io::pipe;
use std::process::{Command, Stdio};

#[test]
fn a_closed_output_ends_every_command_without_a_word() {
    let commands: [&[&str]; 6] = [
        &["policies"],
        &["run", "lat-ctx", "--json"],
        &["compare", "lat-ctx", "--policies", "o1-2.6.21,eevdf-6.12"],
        &["digest", "lat-ctx"],
        &["export", "lat-ctx", "--to", "ftrace", "--until", "50ms"],
        &["link", "decode", "ex=lat-ctx"],
    ];
    for args in commands {
        let (reader, writer) = pipe().expect("a pipe");
        drop(reader);
        let child = Command::new(env!("CARGO_BIN_EXE_schedscope"))
            .args(args)
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args:?}");
        assert!(!output.status.success(), "{args:?} printed nothing, so this test saw nothing");
    }
}

//! Compressed copies beside the files of dist/, made once per build: `FILE.br` and `FILE.gz`. Any static host can use
//! them; our own server does.

use crate::proc::Outcome;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// One file of the page.
pub struct Sizes {
    /// Path below dist/.
    pub name: String,
    /// Bytes as they are.
    pub plain: u64,
    /// Bytes with brotli, or plain where compression gains nothing.
    pub brotli: u64,
    /// Bytes with gzip, or plain.
    pub gzip: u64,
}

/// Kinds of file that shrink.
const COMPRESSED: &[&str] = &["html", "js", "css", "wasm", "json", "svg", "txt", "webmanifest"];

/// Writes the compressed copies of everything below `dist` that shrinks.
pub fn compress_all(dist: &Path) -> Outcome<Vec<Sizes>> {
    let mut sizes = Vec::new();
    for file in files_below(dist)? {
        sizes.push(compress_file(dist, &file).map_err(|error| format!("{}: {error}", file.display()))?);
    }
    Ok(sizes)
}

fn compress_file(dist: &Path, file: &Path) -> std::io::Result<Sizes> {
    let bytes = fs::read(file)?;
    let name = file.strip_prefix(dist).unwrap_or(file).to_string_lossy().replace('\\', "/");
    let plain = bytes.len() as u64;
    if !file.extension().is_some_and(|kind| COMPRESSED.iter().any(|known| kind == *known)) {
        return Ok(Sizes { name, plain, brotli: plain, gzip: plain });
    }
    let brotli = brotli_of(&bytes)?;
    let gzip = gzip_of(&bytes)?;
    fs::write(with_suffix(file, "br"), &brotli)?;
    fs::write(with_suffix(file, "gz"), &gzip)?;
    Ok(Sizes { name, plain, brotli: brotli.len() as u64, gzip: gzip.len() as u64 })
}

fn brotli_of(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut output = Vec::new();
    // Quality 11 is brotli's best, window 22 its usual largest.
    let params = brotli::enc::BrotliEncoderParams { quality: 11, lgwin: 22, ..Default::default() };
    brotli::BrotliCompress(&mut &bytes[..], &mut output, &params)?;
    Ok(output)
}

fn gzip_of(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// `app.js` -> `app.js.br`.
pub fn with_suffix(file: &Path, suffix: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    PathBuf::from(name)
}

/// All files below `folder` but our compressed copies, sorted.
pub fn files_below(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_path_buf()];
    while let Some(folder) = waiting.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        for entry in entries {
            let path = entry.map_err(|error| format!("{}: {error}", folder.display()))?.path();
            if path.is_dir() {
                waiting.push(path);
            } else if !path.extension().is_some_and(|kind| kind == "br" || kind == "gz") {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn compressed_copies_decode_to_the_original() {
        let text = b"active and expired ".repeat(100);
        let mut plain = Vec::new();
        brotli::BrotliDecompress(&mut &brotli_of(&text).unwrap()[..], &mut plain).unwrap();
        assert_eq!(plain, text);
        let mut plain = Vec::new();
        flate2::read::GzDecoder::new(&gzip_of(&text).unwrap()[..]).read_to_end(&mut plain).unwrap();
        assert_eq!(plain, text);
    }
}

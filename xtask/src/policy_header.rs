//! The content security policy that every answer of our server carries.

use sha2::{Digest, Sha256};

/// Only files of this page; no inline script but the ones whose text is in `html` (trunk writes one that starts the
/// module), admitted by hash. WebAssembly may compile. Style attributes are refused: the page sets styles
/// through the object model.
pub fn for_page(html: &str) -> String {
    let hashes: String =
        inline_scripts(html).iter().map(|script| format!(" 'sha256-{}'", base64(&Sha256::digest(script)))).collect();
    [
        "default-src 'none'",
        &format!("script-src 'self' 'wasm-unsafe-eval'{hashes}"),
        "worker-src 'self'",
        // Other sites only for `#src=`, after the visitor has agreed.
        "connect-src 'self' https:",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "object-src 'none'",
    ]
    .join("; ")
}

/// Texts between `<script ...>` without `src` and `</script>`.
fn inline_scripts(html: &str) -> Vec<&str> {
    let mut scripts = Vec::new();
    let mut rest = html;
    while let Some(start) = rest.find("<script") {
        let tag = &rest[start..];
        let Some(open) = tag.find('>') else { break };
        let Some(close) = tag.find("</script>") else { break };
        if close < open {
            break;
        }
        let has_source = tag[..open].split_whitespace().any(|word| word.starts_with("src="));
        if !has_source && close > open + 1 {
            scripts.push(&tag[open + 1..close]);
        }
        rest = &tag[close + "</script>".len()..];
    }
    scripts
}

fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().fold(0u32, |group, byte| group << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = ALPHABET[(group >> (18 - 6 * place) & 63) as usize];
            text.push(if place <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_pads_as_rfc_4648_says() {
        for (plain, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(plain.as_bytes()), text);
        }
    }

    #[test]
    fn inline_scripts_are_admitted_by_hash_and_sourced_ones_are_not_listed() {
        let html = "<script type=\"module\">start()</script><script src=\"/a.js\"></script><script>two</script>";
        assert_eq!(inline_scripts(html), ["start()", "two"]);
        let header = for_page("<script>alert(1)</script>");
        // openssl dgst -sha256 -binary <<< without newline | base64
        assert!(header.contains("'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"), "{header}");
        assert!(!header.contains("script-src 'self' 'unsafe-inline'"));
    }

    #[test]
    fn damaged_html_lists_what_could_be_read() {
        assert!(inline_scripts("<script").is_empty());
        assert!(inline_scripts("<script>never closed").is_empty());
    }
}

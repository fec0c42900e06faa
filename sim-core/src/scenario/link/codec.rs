//! Text to link text and back: percent escapes, base64url (RFC 4648 without padding), and zlib with a bounded output.

use crate::scenario::limits::TEXT_BYTES_MAX;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_zlib_with_limit};

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Bytes as base64url.
pub fn base64url(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().fold(0u32, |group, &byte| group << 8 | u32::from(byte)) << (8 * (3 - chunk.len()));
        for digit in 0..=chunk.len() {
            text.push(char::from(ALPHABET[(group >> (18 - 6 * digit) & 63) as usize]));
        }
    }
    text
}

/// base64url as bytes; the error is a sentence. Standard base64 with padding is understood too: mail programs and
/// people mix them up.
pub fn base64url_decoded(text: &str) -> Result<Vec<u8>, String> {
    let text = text.trim_end_matches('=');
    if text.len() % 4 == 1 {
        return Err(format!("has {} characters: at least one is missing", text.len()));
    }
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut group, mut bits) = (0u32, 0);
    for (index, character) in text.chars().enumerate() {
        let digit = match character {
            'A'..='Z' => character as u32 - 'A' as u32,
            'a'..='z' => character as u32 - 'a' as u32 + 26,
            '0'..='9' => character as u32 - '0' as u32 + 52,
            '-' | '+' => 62,
            '_' | '/' => 63,
            _ => return Err(format!("has a character that does not belong there at place {}", index + 1)),
        };
        group = group << 6 | digit;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((group >> bits) as u8);
            group &= (1 << bits) - 1;
        }
    }
    Ok(bytes)
}

/// A scenario text, packed. zlib rather than bare deflate: its checksum tells a damaged link from a good one.
pub fn pack(text: &str) -> String {
    base64url(&miniz_oxide::deflate::compress_to_vec_zlib(text.as_bytes(), 10))
}

/// A packed text, unpacked; the error is a sentence. A deflate bomb stops at the limit.
pub fn unpack(packed: &str) -> Result<String, String> {
    let bytes = base64url_decoded(packed)?;
    let text = decompress_to_vec_zlib_with_limit(&bytes, TEXT_BYTES_MAX).map_err(|error| match error.status {
        TINFLStatus::HasMoreOutput => format!("unpacks to more than {TEXT_BYTES_MAX} bytes"),
        TINFLStatus::Adler32Mismatch => "is damaged: its checksum does not fit".into(),
        TINFLStatus::FailedCannotMakeProgress | TINFLStatus::NeedsMoreInput => "is cut off: its end is missing".into(),
        TINFLStatus::BadParam | TINFLStatus::Failed | TINFLStatus::Done => "is damaged: it cannot be unpacked".into(),
        _ => String::from("is damaged: it cannot be unpacked"),
    })?;
    String::from_utf8(text).map_err(|_| "is damaged: it does not hold text".into())
}

/// A value for a link: everything that could end it or be changed on the way is escaped.
pub fn escaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    for byte in value.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b',' | b':' | b'@' | b'/' => {
                text.push(char::from(byte));
            }
            _ => {
                text.push('%');
                text.push(char::from(b"0123456789ABCDEF"[usize::from(byte >> 4)]));
                text.push(char::from(b"0123456789ABCDEF"[usize::from(byte & 15)]));
            }
        }
    }
    text
}

/// A value from a link. Escapes that are none stay as they are.
pub fn unescaped(text: &str) -> String {
    let hex = |byte: Option<&u8>| byte.and_then(|&byte| char::from(byte).to_digit(16));
    let bytes = text.as_bytes();
    let mut value = Vec::with_capacity(bytes.len());
    let mut index = 0;
    while index < bytes.len() {
        match (bytes[index], hex(bytes.get(index + 1)), hex(bytes.get(index + 2))) {
            (b'%', Some(high), Some(low)) => {
                value.push((high << 4 | low) as u8);
                index += 3;
            }
            (byte, ..) => {
                value.push(byte);
                index += 1;
            }
        }
    }
    String::from_utf8_lossy(&value).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64url_agrees_with_the_examples_of_rfc_4648() {
        let examples =
            [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE")];
        for (plain, coded) in examples {
            assert_eq!(base64url(plain.as_bytes()), coded);
            assert_eq!(base64url_decoded(coded).unwrap(), plain.as_bytes());
        }
        assert_eq!(base64url(&[0xfb, 0xff]), "-_8");
        assert_eq!(base64url_decoded("+/8=").unwrap(), [0xfb, 0xff]);
        assert!(base64url_decoded("a").is_err());
        assert!(base64url_decoded("ab*d").unwrap_err().contains("place 3"));
    }

    #[test]
    fn escapes_survive_and_broken_ones_stay() {
        let value = "nice +5 & <b>ü</b> 100%";
        assert_eq!(unescaped(&escaped(value)), value);
        assert!(!escaped(value).contains(['&', ' ', '<', '+']));
        assert_eq!(unescaped("50%&%zz%4"), "50%&%zz%4");
    }

    #[test]
    fn a_deflate_bomb_stops_at_the_limit() {
        let bomb = pack(&"0".repeat(TEXT_BYTES_MAX + 1));
        assert!(bomb.len() < 2_000, "{}", bomb.len());
        assert_eq!(unpack(&bomb).unwrap_err(), "unpacks to more than 1048576 bytes");
        assert_eq!(unpack(&pack("abc")).unwrap(), "abc");
        let packed = pack("some text that is long enough to be cut");
        assert_eq!(unpack(&packed[..packed.len() - 8]).unwrap_err(), "is cut off: its end is missing");
    }
}

//! From bytes to text: gzip, byte-order mark, UTF-8, and sizes that are still data.

use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::code::Code;
use super::diagnostic::{Diagnostics, Draft, single};

/// Largest text that is read, compressed or not. Beyond it a file is a mistake or a bomb, and
/// byte offsets and name numbers stay below 2³².
pub const MAX_TEXT_BYTES: usize = 2 << 30;

const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The text of a file, without its byte-order mark.
pub fn text_of(name: &str, bytes: &[u8]) -> Result<String, Diagnostics> {
    if bytes.starts_with(&GZIP_MAGIC) {
        return utf8(name, expand(name, bytes, MAX_TEXT_BYTES)?);
    }
    if bytes.len() > MAX_TEXT_BYTES {
        return Err(too_large(name, MAX_TEXT_BYTES));
    }
    utf8(name, bytes.to_vec())
}

fn expand(name: &str, bytes: &[u8], cap: usize) -> Result<Vec<u8>, Diagnostics> {
    let mut text = Vec::new();
    // One byte more than allowed tells an exact fit from an overflow.
    let mut limited = MultiGzDecoder::new(bytes).take(cap as u64 + 1);
    if let Err(error) = limited.read_to_end(&mut text) {
        let draft = Draft::new(
            Code::BadGzip,
            format!("the gzip data cannot be expanded: {error}"),
        );
        let draft = draft.help("the file is damaged or cut off; compress it anew");
        return Err(single(name, "", draft.at(0..0, "")));
    }
    if text.len() > cap {
        return Err(too_large(name, cap));
    }
    Ok(text)
}

fn too_large(name: &str, cap: usize) -> Diagnostics {
    let message = format!(
        "the text is larger than {} MiB, the most that is read",
        cap >> 20
    );
    single(name, "", Draft::new(Code::TooLarge, message).at(0..0, ""))
}

fn utf8(name: &str, bytes: Vec<u8>) -> Result<String, Diagnostics> {
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        return Err(not_text(name, &bytes, at, "a zero byte"));
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            return Err(not_text(name, error.as_bytes(), at, "not valid UTF-8"));
        }
    };
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}

fn not_text(name: &str, bytes: &[u8], at: usize, what: &str) -> Diagnostics {
    // What is not text before the place is replaced byte for byte, so that offsets stay.
    let mut text = String::with_capacity(at + 1);
    for chunk in bytes[..at].utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(std::iter::repeat_n('?', chunk.invalid().len()));
    }
    text.push('?');
    let draft = Draft::new(Code::NotText, "this is not a text file").at(at..at + 1, what);
    let draft = draft.help("models are UTF-8 text, plain or compressed with gzip");
    single(name, &text, draft)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn gzip_and_byte_order_mark_are_transparent() {
        assert_eq!(text_of("m", b"\xef\xbb\xbfmin").unwrap(), "min");
        assert_eq!(text_of("m", &gzip(b"\xef\xbb\xbfmin")).unwrap(), "min");
        let two_members = [gzip(b"mi"), gzip(b"n")].concat();
        assert_eq!(text_of("m", &two_members).unwrap(), "min");
    }

    #[test]
    fn expansion_stops_at_the_cap() {
        let bomb = gzip(&[b' '; 5000]);
        assert_eq!(expand("m", &bomb, 5000).unwrap().len(), 5000);
        let refused = expand("m", &bomb, 4999).unwrap_err();
        assert_eq!(refused.errors()[0].code, Code::TooLarge);
    }

    #[test]
    fn damaged_gzip_is_an_error() {
        let mut bytes = gzip(b"minimize x");
        bytes.truncate(bytes.len() - 6);
        assert_eq!(
            text_of("m", &bytes).unwrap_err().errors()[0].code,
            Code::BadGzip
        );
        let only_magic = text_of("m", &GZIP_MAGIC).unwrap_err();
        assert_eq!(only_magic.errors()[0].code, Code::BadGzip);
    }

    #[test]
    fn bytes_that_are_not_text_are_located() {
        let refused = text_of("m", b"min\n x\xff").unwrap_err();
        let label = &refused.errors()[0].labels[0];
        assert_eq!((label.line, label.column, label.span.start), (2, 3, 6));
        let refused = text_of("m", b"\x7fELF\n\xff\0").unwrap_err();
        let label = &refused.errors()[0].labels[0];
        assert_eq!((label.line, label.column), (2, 2));
    }
}

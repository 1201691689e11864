//! A few small files as one `.tar.gz`, in the ustar format.

use std::io::Write;

use flate2::{Compression, GzBuilder};
use quip::experiment::Finished;

use super::super::exit::Failure;

/// Size of a block: everything is padded to one.
const BLOCK: usize = 512;

/// Files by their names.
#[derive(Debug, Default)]
pub struct Archive(Vec<(String, Vec<u8>)>);

impl Archive {
    /// Adds a file; a name that is there already gets a `_` before it.
    pub fn add(&mut self, name: &str, bytes: &[u8]) {
        /// What fits the header's field, with room for more.
        const LONGEST: usize = 90;
        let plain = |it: char| if it.is_ascii_graphic() { it } else { '_' };
        let mut name: String = name.chars().map(plain).collect();
        // Cut at its beginning, so that the ending stays.
        name.drain(..name.len().saturating_sub(LONGEST));
        while self.0.iter().any(|(other, _)| *other == name) {
            name.insert(0, '_');
        }
        self.0.push((name, bytes.to_owned()));
    }

    /// What a run said on both streams.
    pub fn streams(&mut self, finished: &Finished) {
        self.add("stdout.txt", finished.stdout.as_bytes());
        self.add("stderr.txt", finished.stderr.as_bytes());
    }

    /// The names, in order.
    pub fn names(&self) -> Vec<&str> {
        self.0.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// The whole archive; the same files make the same bytes.
    pub fn compressed(&self) -> Result<Vec<u8>, Failure> {
        let mut out = GzBuilder::new().write(Vec::new(), Compression::best());
        let written = self.0.iter().try_for_each(|(name, bytes)| {
            out.write_all(&header(name, bytes.len()))?;
            out.write_all(bytes)?;
            out.write_all(&vec![0; bytes.len().next_multiple_of(BLOCK) - bytes.len()])
        });
        let ended = written.and_then(|()| out.write_all(&[0; 2 * BLOCK]));
        let bytes = ended.and_then(|()| out.finish());
        bytes.map_err(|reason| Failure::Write {
            name: "the archive".into(),
            reason,
        })
    }
}

fn header(name: &str, size: usize) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    let mut put = |place: usize, text: &str| {
        block[place..place + text.len()].copy_from_slice(text.as_bytes());
    };
    put(0, name);
    put(100, "0000644\0");
    put(108, "0000000\0");
    put(116, "0000000\0");
    put(124, &format!("{size:011o}\0"));
    put(136, "00000000000\0");
    // The sum is made as if it were blanks itself.
    put(148, "        ");
    put(156, "0");
    put(257, "ustar\x0000");
    let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}

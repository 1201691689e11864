//! The reader that the native format and Yasol's dialect share.
//!
//! Tokens are cut from bytes and used at once; names become numbers at first sight; nothing is
//! looked up twice. The whole is linear in the text, recurses nowhere, and reports all faults.
//!
//! **Invariant:** a `Program` comes out only of a file without errors.

mod assemble;
mod expression;
mod keyword;
mod number;
mod outline;
mod reader;
mod rows;
mod section;
mod symbols;
mod token;

pub(in crate::format) use assemble::Standing;
pub(in crate::format) use keyword::Keyword;
pub(in crate::format) use number::Value;
pub(in crate::format) use outline::symbols_of;
pub(in crate::format) use reader::{Declared, Reader, Step, shortened};
pub(in crate::format) use section::{Section, suggestion};
pub(in crate::format) use symbols::Symbols;
pub(in crate::format) use token::{Kind, Relation};

use super::diagnostic::Problems;
use crate::program::Program;

/// How a file quantifies.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::format) enum Dialect {
    /// By a `prefix`.
    Native,
    /// By `EXISTS`, `ALL` and `ORDER`, as Yasol does.
    Yasol,
}

/// Reads a text in one of the two dialects.
pub(super) fn read(text: &str, dialect: Dialect) -> (Option<Program>, Problems) {
    let mut reader = Reader::new(text, dialect);
    reader.read_sections();
    if reader.saw_exponent {
        // Whether `2e2` is a number hangs on names that are declared below it: once more.
        let names = reader.declared_exponent_names();
        reader = Reader::new(text, dialect);
        reader.exponent_names = Some(names);
        reader.read_sections();
    }
    reader.assemble()
}

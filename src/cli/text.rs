//! Pieces of sentences: numbers with separators, moves, cells of fixed width.

use clap::Args;
use itertools::Itertools;
use num_traits::Zero;
use quip::num::{Digits, Rational, approximate, fitting};
use quip::outcome::Move;
use quip::program::{BlockId, Program};

/// How numbers of an answer are written.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct DigitsArgs {
    /// Write numbers exactly, as fractions, instead of rounding long ones (JSON is always exact)
    #[arg(long)]
    exact: bool,
}

impl DigitsArgs {
    /// What is meant.
    pub fn digits(self) -> Digits {
        match self.exact {
            true => Digits::Exact,
            false => Digits::Rounded,
        }
    }
}

/// `3,100`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    groups
        .map(|group| String::from_utf8_lossy(group).into_owned())
        .join(",")
}

/// `1 row`, `2 rows`.
pub fn counted(number: usize, noun: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {noun}{ending}", grouped(number as u64))
}

/// The number in a cell of so many characters, or a dash.
pub fn cell(value: Option<&Rational>, width: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| fitting(value, width))
}

/// The distance of two values, relative to the one in hand; nothing where that has no meaning.
pub fn relative_gap(objective: Option<&Rational>, bound: Option<&Rational>) -> Option<f64> {
    let (objective, bound) = (objective?, bound?);
    if objective == bound {
        return Some(0.0);
    }
    let gap = approximate(&(objective - bound)).abs() / approximate(objective).abs();
    gap.is_finite().then_some(gap)
}

/// `a=1 b=0 | y=2 | c≈2.333333`, the blocks parted by bars, at most `limit` moves.
pub fn play(program: &Program, digits: Digits, moves: &[Move], limit: usize) -> String {
    let shown = &moves[..moves.len().min(limit)];
    let brief = |(var, value): &Move| {
        let number = digits.short(value);
        let sign = if number.starts_with('≈') { "" } else { "=" };
        format!("{}{sign}{number}", program.variables()[*var].name)
    };
    let blocks = shown.iter().chunk_by(|(var, _)| block_of(program, *var));
    let mut line = blocks
        .into_iter()
        .map(|(_, moves)| moves.map(brief).join(" "))
        .join(" | ");
    if moves.len() > shown.len() {
        line += &format!(" … {} more", moves.len() - shown.len());
    }
    line
}

/// `a = 1, c ≈ 2.333333 (7/3)`, at most `limit` moves. Of more moves those that are not zero are
/// listed, and the zeros are counted.
pub fn decisions(program: &Program, digits: Digits, moves: &[Move], limit: usize) -> String {
    let spoken = |(var, value): &Move| digits.equation(&program.variables()[*var].name, value);
    if moves.len() <= limit {
        return moves.iter().map(spoken).join(", ");
    }
    let (zeros, others): (Vec<_>, Vec<_>) = moves.iter().partition(|(_, value)| value.is_zero());
    let mut parts: Vec<String> = others.iter().take(limit).map(|made| spoken(made)).collect();
    if others.len() > limit {
        parts.push(format!("… {} more", others.len() - limit));
    }
    let rest = match (zeros.len(), others.len()) {
        (0, _) => None,
        (zeros, 0) => Some(format!("all {} are 0", grouped(zeros as u64))),
        (1, _) => Some("1 other is 0".to_owned()),
        (zeros, _) => Some(format!("{} others are 0", grouped(zeros as u64))),
    };
    let listed = parts.join(", ");
    [Some(listed).filter(|it| !it.is_empty()), rest]
        .into_iter()
        .flatten()
        .join("; ")
}

/// The text with lines of at most `width` characters where words allow it. What is continued stands
/// below its beginning: behind the label of a report, or two columns further.
pub fn wrapped(text: &str, width: usize) -> String {
    text.lines()
        .map(|line| wrapped_line(line, width) + "\n")
        .collect()
}

fn wrapped_line(line: &str, width: usize) -> String {
    /// Where a report's text begins behind its label.
    const BEHIND_LABEL: usize = 15;
    /// Terminals below this are left alone.
    const NARROWEST: usize = 30;
    if line.chars().count() <= width || width < NARROWEST {
        return line.to_owned();
    }
    let label: Vec<char> = line.chars().take(BEHIND_LABEL + 1).collect();
    let blank = |place: usize| label.get(place) == Some(&' ');
    let start = line.chars().take_while(|it| *it == ' ').count();
    let indent = match start == 2 && blank(BEHIND_LABEL - 1) && !blank(BEHIND_LABEL) {
        true => BEHIND_LABEL,
        false => start + 2,
    };
    let (mut done, mut column) = (String::new(), 0);
    // Blanks stay with the word behind them, so that columns stay where they are.
    for (place, word) in words(line).into_iter().enumerate() {
        let length = word.chars().count();
        if place > 0 && column + length > width {
            done += "\n";
            done += &" ".repeat(indent);
            done += word.trim_start();
            column = indent + word.trim_start().chars().count();
        } else {
            done += word;
            column += length;
        }
    }
    done
}

/// The words of a line, each with the blanks before it.
fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = line;
    while !rest.is_empty() {
        let blanks = rest.len() - rest.trim_start_matches(' ').len();
        let end = rest[blanks..]
            .find(' ')
            .map_or(rest.len(), |end| blanks + end);
        let (word, behind) = rest.split_at(end);
        words.push(word);
        rest = behind;
    }
    words
}

fn block_of(program: &Program, var: quip::program::VarId) -> Option<BlockId> {
    let blocks = program.blocks().as_slice();
    let place = quip::program::Id::index(var);
    let index = blocks.partition_point(|block| block.range().end <= place);
    (index < blocks.len()).then(|| quip::program::Id::new(index))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quip::num::{int, ratio};

    #[test]
    fn long_lines_break_between_words_and_below_their_beginning() {
        let line = "  worst case   open=1 | demand=12 | produce=7 stock=3";
        assert_eq!(
            wrapped(line, 40),
            "  worst case   open=1 | demand=12 |\n               produce=7 stock=3\n"
        );
        assert_eq!(wrapped("one two three\n", 80), "one two three\n");
        let long = "x".repeat(90);
        assert_eq!(wrapped(&long, 40), format!("{long}\n"));
        let words = "word ".repeat(30);
        for line in wrapped(&words, 33).lines() {
            assert!(line.chars().count() <= 33, "{line}");
        }
    }

    #[test]
    fn digits_are_grouped_by_three() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(3100), "3,100");
        assert_eq!(grouped(12_345_678), "12,345,678");
    }

    #[test]
    fn long_numbers_still_fit_their_cell() {
        let third = ratio(1, 3);
        assert_eq!(cell(Some(&third), 10), "1/3");
        let long = ratio(1_234_567_890_123, 1_000_000_007);
        assert_eq!(cell(Some(&long), 10), "≈1234.57");
        let huge = int(i64::MAX) * int(i64::MAX);
        assert!(cell(Some(&-huge), 10).chars().count() <= 10);
        assert_eq!(cell(None, 10), "-");
    }

    #[test]
    fn of_many_decisions_the_zeros_are_counted() {
        let names: Vec<String> = (0..60).map(|place| format!("x{place}")).collect();
        let text = format!("prefix exists binary {} end", names.join(" "));
        let program = quip::format::parse_qip(&text).expect("it is well formed");
        let decided = |ones: &[usize]| {
            let moves = (0..60).map(|place| {
                let value = i64::from(ones.contains(&place));
                (quip::program::Id::new(place), int(value))
            });
            decisions(&program, Digits::Rounded, &moves.collect::<Vec<_>>(), 3)
        };
        assert_eq!(
            decided(&[7, 20, 59]),
            "x7 = 1, x20 = 1, x59 = 1; 57 others are 0"
        );
        assert_eq!(
            decided(&[1, 2, 3, 4]),
            "x1 = 1, x2 = 1, x3 = 1, … 1 more; 56 others are 0"
        );
        assert_eq!(decided(&[]), "all 60 are 0");
    }

    #[test]
    fn the_gap_of_a_proved_value_is_zero_and_of_nothing_unknown() {
        assert_eq!(relative_gap(Some(&int(0)), Some(&int(0))), Some(0.0));
        assert_eq!(relative_gap(Some(&int(16)), Some(&int(12))), Some(0.25));
        assert_eq!(relative_gap(Some(&int(0)), Some(&int(1))), None);
        assert_eq!(relative_gap(None, Some(&int(1))), None);
    }
}

//! Tables as aligned text and as comma-separated values.

/// A head and rows of as many cells.
pub struct Table {
    head: Vec<String>,
    rows: Vec<Vec<String>>,
    /// The first columns hold words and are aligned to the left.
    words: usize,
}

impl Table {
    /// A table without rows; the first `words` columns hold words.
    pub fn new(head: &[&str], words: usize) -> Self {
        Self {
            head: head.iter().map(|&title| title.to_owned()).collect(),
            rows: Vec::new(),
            words,
        }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        assert_eq!(
            cells.len(),
            self.head.len(),
            "invariant: a cell for every column"
        );
        self.rows.push(cells);
    }

    /// Aligned columns, the head underlined.
    pub fn text(&self) -> String {
        let lines = || std::iter::once(&self.head).chain(&self.rows);
        let width = |column: usize| lines().map(|cells| cells[column].chars().count()).max();
        let widths: Vec<usize> = (0..self.head.len()).filter_map(width).collect();
        let mut text = String::new();
        for (number, cells) in lines().enumerate() {
            let aligned = cells
                .iter()
                .zip(&widths)
                .enumerate()
                .map(|(column, (cell, &width))| {
                    if column < self.words {
                        format!("{cell:<width$}")
                    } else {
                        format!("{cell:>width$}")
                    }
                });
            let line = aligned.collect::<Vec<_>>().join("  ");
            text += line.trim_end();
            text.push('\n');
            if number == 0 {
                let total = widths.iter().sum::<usize>() + 2 * (widths.len() - 1);
                text += &"─".repeat(total);
                text.push('\n');
            }
        }
        text
    }

    /// One line for each row, with the head first.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for cells in std::iter::once(&self.head).chain(&self.rows) {
            writer
                .write_record(cells)
                .expect("invariant: memory takes every row");
        }
        let bytes = writer
            .into_inner()
            .expect("invariant: memory takes every row");
        String::from_utf8(bytes).expect("invariant: text in, text out")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_stand_left_and_numbers_right() {
        let mut table = Table::new(&["name", "n"], 1);
        table.row(vec!["a".into(), "100".into()]);
        assert_eq!(table.text(), "name    n\n─────────\na     100\n");
    }

    #[test]
    fn commas_and_quotes_survive_in_csv() {
        let mut table = Table::new(&["name"], 1);
        table.row(vec!["a, \"b\"".into()]);
        assert_eq!(table.csv(), "name\n\"a, \"\"b\"\"\"\n");
    }
}

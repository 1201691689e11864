//! Replies whose linear program has whole vertices.
//!
//! **Definition:** the matrix of the replies is a *network* if, but for rows with one reply only, each column has at most two
//! entries, both ±1, and rows can be turned so that the two entries of a column have opposite signs; or the same with rows
//! and columns exchanged. Such matrices are totally unimodular (Heller and Tompkins 1956), with or without unit rows.

/// The entries of a matrix: row, column, coefficient.
pub(super) type Entries = [(usize, usize, i64)];

/// Whether every vertex of `lower <= W z <= upper` in a whole box is whole, for all whole sides.
pub(super) fn is_network(entries: &Entries) -> bool {
    let mut of_row = std::collections::HashMap::new();
    for &(row, _, _) in entries {
        *of_row.entry(row).or_insert(0) += 1;
    }
    let longer: Vec<(usize, usize, i64)> = { entries.iter() }
        .copied()
        .filter(|(row, _, _)| of_row[row] > 1)
        .collect();
    let turned: Vec<(usize, usize, i64)> = { longer.iter() }
        .map(|&(row, column, by)| (column, row, by))
        .collect();
    entries.iter().all(|(_, _, by)| by.abs() == 1) && (is_signed(&longer) || is_signed(&turned))
}

/// Whether rows can be turned so that columns have at most one entry of each sign.
fn is_signed(entries: &Entries) -> bool {
    let end = 1 + entries
        .iter()
        .map(|(row, column, _)| (*row).max(*column))
        .max()
        .unwrap_or(0);
    let mut columns: Vec<Vec<(usize, i64)>> = vec![Vec::new(); end];
    for &(row, column, by) in entries {
        columns[column].push((row, by));
    }
    let mut head: Vec<usize> = (0..end).collect();
    let mut turned = vec![false; end];
    columns.iter().all(|column| match column[..] {
        [] | [_] => true,
        [(one, by), (other, and)] => {
            let (one, one_turned) = find(&head, &turned, one);
            let (other, other_turned) = find(&head, &turned, other);
            let differs = one_turned ^ other_turned ^ (by == and);
            if one != other {
                (head[one], turned[one]) = (other, differs);
            }
            one != other || !differs
        }
        _ => false,
    })
}

fn find(head: &[usize], turned: &[bool], mut at: usize) -> (usize, bool) {
    let mut turn = false;
    while head[at] != at {
        turn ^= turned[at];
        at = head[at];
    }
    (at, turn)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transportation_is_a_network_and_a_triangle_is_not() {
        // Two sites, two customers.
        let sent = [(0, 0, 1), (0, 1, 1), (1, 2, 1), (1, 3, 1)];
        let got = [(2, 0, 1), (2, 2, 1), (3, 1, 1), (3, 3, 1)];
        let both = [&sent[..], &got[..]].concat();
        assert!(is_network(&both));
        let limits = [(4, 0, 1), (5, 1, 1), (6, 2, -1)];
        assert!(is_network(&[&both[..], &limits[..]].concat()));
        let triangle = [
            (0, 0, 1),
            (0, 1, 1),
            (1, 1, 1),
            (1, 2, 1),
            (2, 2, 1),
            (2, 0, 1),
        ];
        assert!(!is_network(&triangle));
        assert!(!is_network(&[(0, 0, 2)]));
    }

    #[test]
    fn stocks_are_a_network_by_rows() {
        // s1 - s2 and s2 - s3, and one column with three entries.
        let stocks = [
            (0, 0, 1),
            (0, 1, -1),
            (1, 1, 1),
            (1, 2, -1),
            (2, 1, 1),
            (2, 3, -1),
        ];
        assert!(is_network(&stocks));
        assert!(!is_network(&[
            (0, 0, 1),
            (0, 1, -1),
            (1, 0, 1),
            (1, 1, 1),
            (2, 1, 1),
            (2, 2, 1),
            (3, 1, 1),
            (3, 2, -1)
        ]));
    }
}

//! The search with its techniques in every combination.

use quip::search::Settings;

/// Every technique off or on, by the bits of `number`, and tables down to a single entry.
pub fn configuration(number: u64) -> Settings {
    let on = |bit: u64| number >> bit & 1 == 1;
    Settings {
        propagate: on(0),
        table_bytes: [0, 1, 4096, 1 << 20][(number >> 1 & 3) as usize],
        monotone: on(3),
        ordering: on(4),
        relax: on(5),
        caution: [16, 0][(number >> 7 & 1) as usize],
        choices: on(7),
        rise: on(8),
        copies: on(12) || on(9),
        combine: on(2) || !on(6),
        foresight: on(11),
        history: on(9),
        components: !on(10),
        symmetry_after: [Some(0), Some(5), None][(number % 3) as usize],
    }
}

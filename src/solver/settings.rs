//! Switches of the portfolio: who works alone before two engines race.

use crate::switch::{Switch, SwitchError, parse_on_off};

/// See the module. Every combination gives the same answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortfolioSettings {
    /// Positions that search visits alone: what it solves within them needs no second engine, and is
    /// answered the same way every time. Zero: both engines begin at once.
    pub head_start: u64,
    /// Let the engine that is likely to be the better one go on alone for a while; off: both work
    /// as soon as the head start is over.
    pub opening: bool,
    /// Try programs of two blocks group by group first (see [`interleave`](crate::interleave)).
    pub interleave: bool,
    /// Where it does so, bound large sums by prices before their tables are made coarse.
    pub prices: bool,
    /// A program with more coefficients in its rows is searched alone: the scenario engine keeps
    /// several copies of all rows before it knows whether they are needed.
    pub most_coefficients: usize,
}

impl Default for PortfolioSettings {
    fn default() -> Self {
        Self {
            head_start: 1500,
            opening: true,
            interleave: true,
            prices: true,
            most_coefficients: 1_000_000,
        }
    }
}

impl PortfolioSettings {
    /// Every switch with its present value.
    ///
    /// ```
    /// let switches = quip::solver::PortfolioSettings::default().switches();
    /// assert!(switches.iter().any(|switch| switch.key == "portfolio.opening"));
    /// ```
    pub fn switches(&self) -> Vec<Switch> {
        vec![
            Switch {
                key: "portfolio.head_start",
                value: self.head_start.to_string(),
                help: "positions that search visits alone; 0: both engines begin at once",
            },
            Switch::on_off(
                "portfolio.opening",
                self.opening,
                "let the engine that is likely to be better go on alone",
            ),
            Switch::on_off(
                "portfolio.interleave",
                self.interleave,
                "try programs of two blocks group by group first",
            ),
            Switch::on_off(
                "portfolio.prices",
                self.prices,
                "bound large sums of such programs by prices",
            ),
            Switch {
                key: "portfolio.largest",
                value: self.most_coefficients.to_string(),
                help: "programs of more coefficients are searched alone",
            },
        ]
    }

    /// Sets a switch by its key.
    ///
    /// ```
    /// let mut settings = quip::solver::PortfolioSettings::default();
    /// settings.set("portfolio.head_start", "0")?;
    /// assert_eq!(settings.head_start, 0);
    /// # Ok::<(), quip::switch::SwitchError>(())
    /// ```
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SwitchError> {
        match key {
            "portfolio.head_start" => {
                self.head_start = parse_count(key, value)?;
            }
            "portfolio.largest" => {
                self.most_coefficients = parse_count(key, value)?;
            }
            "portfolio.opening" => self.opening = parse_on_off(key, value)?,
            "portfolio.prices" => self.prices = parse_on_off(key, value)?,
            "portfolio.interleave" => self.interleave = parse_on_off(key, value)?,
            _ => return Err(SwitchError::Unknown(key.to_owned())),
        }
        Ok(())
    }
}

fn parse_count<T: std::str::FromStr>(key: &str, value: &str) -> Result<T, SwitchError> {
    let count = value.parse();
    count.map_err(|_| SwitchError::bad_value(key, value, "a number, not negative"))
}

//! One side of a certificate: the nodes of a plan, each checked as its line is read.

use rustc_hash::FxHashMap;

use super::Proved;
use super::demand::Demand;
use super::proof;
use super::view::{Ends, SideId, View};
use super::words::{Checked, Words, ensure, number, unexpected};
use crate::num::Exact;
use crate::program::{Program, Quantifier};
use crate::strategy::Guarantee;

/// The nodes that are still referred to, by what they demand.
pub(super) struct Plan<'v> {
    view: View<'v>,
    owner: Quantifier,
    /// The sides of the owner's rows.
    rows: Vec<SideId>,
    live: FxHashMap<usize, Demand>,
    pub proved: Proved,
}

impl<'v> Plan<'v> {
    pub fn new(program: &'v Program, owner: Quantifier, guarantee: Guarantee) -> Self {
        let view = View::new(program, guarantee.cost());
        let own = |id: &SideId| view.sides[*id].owner == owner && !view.is_objective(*id);
        Self {
            owner,
            rows: (0..view.sides.len()).filter(own).collect(),
            view,
            live: FxHashMap::default(),
            proved: Proved {
                guarantee,
                nodes: 0,
                peak: 0,
            },
        }
    }

    /// Reads a node, or the root: whether it was the root.
    pub fn read(&mut self, words: &mut Words<'_>) -> Checked<bool> {
        if words.accept("root") {
            // No variable is fixed before the root, so nothing is demanded of anybody.
            return self.follow(words, 0).map(|_| true);
        }
        let found = words.count("a node number or `root`")?;
        let due = self.proved.nodes;
        ensure!(found == due; "node {found} stands where node {due} is due");
        let demand = match words.word("a kind of node")? {
            "choose" => self.choose(words),
            "await" => self.await_moves(words),
            "complete" => self.complete(),
            "dead" => self.dead(words),
            "bound" => self.bound(words),
            other => Err(unexpected("a kind of node", other)),
        }?;
        self.live.insert(self.proved.nodes, demand);
        self.proved.peak = self.proved.peak.max(self.live.len());
        self.proved.nodes += 1;
        Ok(false)
    }

    /// `choose VARIABLE VALUE NODE`
    fn choose(&mut self, words: &mut Words<'_>) -> Checked<Demand> {
        let place = self.moved(words, self.owner)?;
        let value = words.number()?;
        self.admit(place, &value)?;
        let demand = self.follow(words, place + 1)?;
        let ends = [Some(value.clone()), Some(value)];
        demand.before(&self.view, Some(self.owner), &ends)
    }

    /// `await VARIABLE {RANGE NODE | RANGE illegal PROOF}`
    fn await_moves(&mut self, words: &mut Words<'_>) -> Checked<Demand> {
        let opponent = self.owner.opponent();
        let place = self.moved(words, opponent)?;
        let name = self.view.places[place].name;
        let mut demand = Demand::at(place);
        let mut due = self.view.usual(place).ok().cloned();
        let mut goes_on = false;
        while words.peek().is_some() {
            let range = self.range(place, words.word("a range")?, &mut due)?;
            let illegal = words.accept("illegal");
            let part = if illegal {
                proof::read(&mut self.view, Demand::at(place + 1), Some(opponent), words)?
            } else {
                self.follow(words, place + 1)?
            };
            goes_on |= !illegal;
            let owner = (!illegal).then_some(self.owner);
            demand.merge(&self.view, part.before(&self.view, owner, &range)?)?;
        }
        ensure!(due.is_none(); "`{name}` = {} is not answered", due.unwrap_or(Exact::ZERO));
        // Otherwise his system is dead already, and nothing shows that the owner's is alive.
        ensure!(goes_on; "no value of `{name}` goes on");
        Ok(demand)
    }

    /// The values that a word spells: `any`, `5` or `2..4`. They must begin where values are due;
    /// `due` becomes the first value after them, or nothing after the last.
    fn range(&self, place: usize, word: &str, due: &mut Option<Exact>) -> Checked<Ends> {
        let at = &self.view.places[place];
        let begins = due.take();
        if word == "any" && begins.as_ref() == self.view.usual(place).ok() {
            return Ok(at.domain.clone());
        }
        let (from, to) = word.split_once("..").unwrap_or((word, word));
        let (from, to) = (number(from)?, number(to)?);
        let upper = at.domain[1].as_ref().filter(|upper| to <= **upper);
        let fits = at.whole && to.is_whole() && begins.as_ref() == Some(&from);
        ensure!(fits && from <= to && upper.is_some(); "{word} does not follow for `{}`", at.name);
        *due = (upper != Some(&to)).then(|| &to + &Exact::ONE);
        Ok([Some(from), Some(to)])
    }

    /// `complete`: every variable is fixed, the owner's rows hold and the cost is as claimed.
    fn complete(&self) -> Checked<Demand> {
        let mut demand = Demand::at(self.view.places.len());
        self.demand_rows(&mut demand, false)?;
        if let Some(objective) = self.view.objective {
            let cost = &self.view.sides[objective].rhs;
            let negated = self.owner == Quantifier::Forall;
            let limit = if negated { -cost } else { cost.clone() };
            demand.limit(&self.view, (objective, negated), (limit, true))?;
        } else {
            ensure!(self.proved.guarantee == Guarantee::Kept; "a complete play is not decided for either player");
        }
        Ok(demand)
    }

    /// `dead PLACE [alive VALUES] PROOF`: the opponent's system is dead, the owner's is not.
    fn dead(&mut self, words: &mut Words<'_>) -> Checked<Demand> {
        let mut demand = self.place(words)?;
        let first = self.view.places.first();
        let mover = first.map_or(Quantifier::Exists, |at| at.owner);
        // If both are dead before the first move, the first mover has lost.
        if demand.place > 0 || mover == self.owner || words.peek() == Some("alive") {
            words.keyword("alive")?;
            self.fix(words, demand.place, true)?;
            self.demand_rows(&mut demand, false)?;
            self.view.undo_to(0);
        }
        proof::read(&mut self.view, demand, Some(self.owner.opponent()), words)
    }

    /// `bound PLACE [play VALUES] PROOF`: the universal player's rows hold whatever happens, and
    /// the existential player cannot reach a cost below the claim any more.
    fn bound(&mut self, words: &mut Words<'_>) -> Checked<Demand> {
        ensure!(self.owner == Quantifier::Forall; "a strategy has no bounds");
        let mut demand = self.place(words)?;
        if words.accept("play") {
            self.fix(words, demand.place, false)?;
        }
        self.demand_rows(&mut demand, true)?;
        proof::read(&mut self.view, demand, None, words)
    }

    /// Reads values `name=value` of variables from a place on, of the universal player or of both.
    fn fix(&mut self, words: &mut Words<'_>, from: usize, all: bool) -> Checked<()> {
        while let Some((name, value)) = words.peek().and_then(|word| word.split_once('=')) {
            words.word("an assignment")?;
            let (place, value) = (self.view.find(name)?, number(value)?);
            let owner = self.view.places[place].owner;
            let fits = from <= place && (all || owner == Quantifier::Forall);
            ensure!(fits; "`{name}` cannot be set here");
            self.admit(place, &value)?;
            self.view.narrow(place, false, value.clone());
            self.view.narrow(place, true, value);
            ensure!(self.view.is_fixed(place); "`{name}` is set twice");
        }
        Ok(())
    }

    /// Demands the owner's rows with every later variable at its lower end, or with the
    /// existential ones at their worst.
    fn demand_rows(&self, demand: &mut Demand, worst: bool) -> Checked<()> {
        for &id in &self.rows {
            let side = &self.view.sides[id];
            let rest = side.rest(demand.place);
            if rest.is_empty() && !side.terms.is_empty() {
                continue;
            }
            let mut room = side.rhs.clone();
            for (place, coefficient) in rest {
                let existential = self.view.places[*place].owner == Quantifier::Exists;
                let value = match worst && existential {
                    true => self.view.end(*place, coefficient.is_positive()),
                    false => self.view.usual(*place),
                };
                room = &room - &(coefficient * value?);
            }
            demand.limit(&self.view, (id, false), (room, true))?;
        }
        Ok(())
    }

    /// A node that begins at `place`; a dot after its number gives it up.
    fn follow(&mut self, words: &mut Words<'_>, place: usize) -> Checked<Demand> {
        let word = words.word("a node")?;
        let digits = word.strip_suffix('.').unwrap_or(word);
        let node = digits.parse().map_err(|_| unexpected("a node", word))?;
        let demand = if digits.len() < word.len() {
            self.live.remove(&node)
        } else {
            self.live.get(&node).cloned()
        };
        let demand = demand.ok_or_else(|| format!("node {node} is not at hand"))?;
        let found = demand.place;
        ensure!(found == place; "node {node} begins at place {found}, not at place {place}");
        Ok(demand)
    }

    /// The place of a variable that the player fixes.
    fn moved(&self, words: &mut Words<'_>, player: Quantifier) -> Checked<usize> {
        let name = words.word("a variable")?;
        let place = self.view.find(name)?;
        let fits = self.view.places[place].owner == player;
        ensure!(fits; "`{name}` is not moved by this player");
        Ok(place)
    }

    fn place(&self, words: &mut Words<'_>) -> Checked<Demand> {
        let place = words.count("a place")?;
        ensure!(place <= self.view.places.len(); "the prefix has no place {place}");
        Ok(Demand::at(place))
    }

    fn admit(&self, place: usize, value: &Exact) -> Checked<()> {
        let at = &self.view.places[place];
        let [lower, upper] = &at.domain;
        let inside = lower.as_ref().is_none_or(|end| end <= value)
            && upper.as_ref().is_none_or(|end| value <= end)
            && (value.is_whole() || !at.whole);
        ensure!(inside; "{value} is not in the domain of `{}`", at.name);
        Ok(())
    }
}

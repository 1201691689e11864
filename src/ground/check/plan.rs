//! One side of a certificate: the nodes of a plan, each checked as its line is read.

use rustc_hash::FxHashMap;

use super::Proved;
use super::demand::Demand;
use super::proof::Proof;
use super::view::{Ends, SideId, View};
use crate::num::{Exact, Rational};
use crate::program::{Program, Quantifier};
use crate::strategy::words::{Checked, Words, ensure, number, unexpected};
use crate::strategy::{Budgets, Guarantee};

/// The nodes that are still referred to, by what they demand.
#[derive(Default)]
pub(super) struct Nodes(FxHashMap<usize, Demand>);

impl Nodes {
    /// What the node of that number demands; a dot after the number gives it up.
    pub fn follow(&mut self, word: &str) -> Checked<Demand> {
        let digits = word.strip_suffix('.').unwrap_or(word);
        let node = digits.parse().map_err(|_| unexpected("a node", word))?;
        let demand = if digits.len() < word.len() {
            self.0.remove(&node)
        } else {
            self.0.get(&node).cloned()
        };
        demand.ok_or_else(|| format!("node {node} is not at hand"))
    }
}

/// One side of a certificate while it is being read.
pub(super) struct Plan<'v> {
    view: View<'v>,
    owner: Quantifier,
    /// The sides of the owner's rows.
    rows: Vec<SideId>,
    nodes: Nodes,
    /// The places whose ends suffice although universal rows hold them.
    counted: Vec<bool>,
    pub proved: Proved,
}

impl<'v> Plan<'v> {
    pub fn new(program: &'v Program, owner: Quantifier, guarantee: Guarantee) -> Self {
        // How fast a cost falls without end does not depend on where it begins.
        let cost = match guarantee {
            Guarantee::Unbounded => Some(&Rational::default()),
            _ => guarantee.cost(),
        };
        let view = View::new(program, cost);
        let budgets = Budgets::new(program);
        let order = program.playing_order().into_iter();
        let own = |id: &SideId| view.sides[*id].owner == owner && !view.is_objective(*id);
        Self {
            owner,
            rows: (0..view.sides.len()).filter(own).collect(),
            view,
            counted: order.map(|var| budgets.count(var)).collect(),
            nodes: Nodes::default(),
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
            let root = self.follow(words, 0)?;
            ensure!(root.mixture.is_none(); "a sum proves nothing by itself");
            let endless =
                self.proved.guarantee != Guarantee::Unbounded || root.endless == Some(true);
            ensure!(endless; "the objective is not pushed beyond every bound");
            return Ok(true);
        }
        if words.accept("derive") {
            let may = self.owner == Quantifier::Forall && self.proved.nodes == 0;
            ensure!(may; "rows are derived before the nodes of a refutation");
            return self.view.derive(words).map(|()| false);
        }
        let found = words.count("a node number, `derive` or `root`")?;
        let due = self.proved.nodes;
        ensure!(found == due; "node {found} stands where node {due} is due");
        let demand = match words.word("a kind of node")? {
            "dead" => self.dead(words),
            _ if !self.view.lacking.is_empty() => Err("a domain is empty: nobody moves".to_owned()),
            "choose" => self.choose(words),
            "await" => self.await_moves(words),
            "complete" => self.complete(),
            "bound" => self.bound(words)?.read(words),
            "sum" => self.bound(words)?.read_sum(words),
            "ray" => self.ray(words),
            other => Err(unexpected("a kind of node", other)),
        }?;
        self.nodes.0.insert(self.proved.nodes, demand);
        self.proved.peak = self.proved.peak.max(self.nodes.0.len());
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
        demand.endless = Some(false);
        while words.peek().is_some() {
            let word = words.word("a range")?;
            let range = self.range(place, word, &mut due, goes_on)?;
            let illegal = words.accept("illegal");
            let part = if illegal {
                self.proof(Demand::at(place + 1), Some(opponent))
                    .read(words)?
            } else {
                self.follow(words, place + 1)?
            };
            let owner = (!illegal).then_some(self.owner);
            if !illegal {
                goes_on = true;
                let both = demand.endless.zip(part.endless);
                demand.endless = both.map(|(one, other)| one || other);
            }
            demand.merge(&self.view, part.before(&self.view, owner, &range)?)?;
        }
        ensure!(due.is_none(); "`{name}` = {} is not answered", due.unwrap_or(Exact::ZERO));
        // Otherwise his system is dead already, and nothing shows that the owner's is alive.
        ensure!(goes_on; "no value of `{name}` goes on");
        Ok(demand)
    }

    /// The values of `any`, `5` or `2..4`, which begin where values are due; `due` becomes what
    /// comes after them, or nothing. Where answers mix, values between need none of their own.
    fn range(
        &self,
        place: usize,
        word: &str,
        due: &mut Option<Exact>,
        goes_on: bool,
    ) -> Checked<Ends> {
        let at = &self.view.places[place];
        let begins = due.take();
        if word == "any" && begins.as_ref() == self.view.usual(place).ok() {
            return Ok(at.domain.clone());
        }
        let (from, to) = word.split_once("..").unwrap_or((word, word));
        let (from, to) = (number(from)?, number(to)?);
        let mixes = self.view.mixes(place) || self.counted[place];
        let mixes = self.owner == Quantifier::Exists && mixes;
        let between = goes_on || self.counted[place];
        let gap = mixes && between && begins.as_ref() < Some(&from);
        let follows = begins.as_ref() == Some(&from) || (begins.is_some() && gap);
        let values = match at.whole {
            true => from.is_whole() && to.is_whole(),
            false => mixes,
        };
        let upper = at.domain[1].as_ref();
        let upper = upper.filter(|upper| from <= to && to <= **upper);
        let (Some(upper), true) = (upper, follows && values) else {
            return Err(format!("{word} does not follow for `{}`", at.name));
        };
        let step = if at.whole { Exact::ONE } else { Exact::ZERO };
        *due = (*upper != to).then(|| &to + &step);
        Ok([Some(from), Some(to)])
    }

    /// `complete`: every variable is fixed, the owner's rows hold and the cost is as claimed.
    fn complete(&self) -> Checked<Demand> {
        let mut demand = Demand::at(self.view.places.len());
        self.demand_rows(&mut demand, false)?;
        match (&self.proved.guarantee, self.view.objective) {
            (Guarantee::Kept | Guarantee::Unbounded, _) => Ok(demand),
            (_, Some(objective)) => {
                let cost = &self.view.sides[objective].rhs;
                let negated = self.owner == Quantifier::Forall;
                let limit = if negated { -cost } else { cost.clone() };
                demand.limit(&self.view, (objective, negated), (limit, true))?;
                Ok(demand)
            }
            _ => Err("a complete play is not decided for either player".to_owned()),
        }
    }

    /// `dead PLACE [alive VALUES] [PROOF]`: the opponent's system is dead, the owner's is not.
    fn dead(&mut self, words: &mut Words<'_>) -> Checked<Demand> {
        let mut demand = self.place(words)?;
        let first = self.view.places.first();
        let mover = first.map_or(Quantifier::Exists, |at| at.owner);
        // If both are dead before the first move, the first mover has lost.
        if demand.place > 0 || mover == self.owner || words.peek() == Some("alive") {
            words.keyword("alive")?;
            ensure!(!self.view.lacking.contains(&self.owner); "a domain of the owner is empty");
            self.fix(words, demand.place, true)?;
            self.demand_rows(&mut demand, false)?;
            self.view.undo_to(0);
        }
        demand.endless = Some(false);
        let opponent = self.owner.opponent();
        match words.peek() {
            None if self.view.lacking.contains(&opponent) => Ok(demand),
            _ => self.proof(demand, Some(opponent)).read(words),
        }
    }

    /// `bound PLACE [play VALUES] PROOF`: the universal player's rows hold whatever happens, and
    /// the existential player cannot reach a cost below the claim any more.
    /// `sum PLACE [play VALUES] SUM`: the same, if the moves before make the sum too large.
    fn bound(&mut self, words: &mut Words<'_>) -> Checked<Proof<'_, 'v>> {
        ensure!(self.owner == Quantifier::Forall; "a strategy has no bounds");
        let mut demand = self.place(words)?;
        if words.accept("play") {
            self.fix(words, demand.place, false)?;
        }
        self.demand_rows(&mut demand, true)?;
        Ok(self.proof(demand, None))
    }

    fn proof(&mut self, demand: Demand, dead: Option<Quantifier>) -> Proof<'_, 'v> {
        Proof::new(&mut self.view, &mut self.nodes, demand, dead)
    }

    /// `ray VARIABLE=RATE… NODE`: these values may go on at these rates without end, which keeps
    /// the rows and improves the objective. They are the last that were fixed, so that what comes
    /// after the node does not matter to them.
    fn ray(&mut self, words: &mut Words<'_>) -> Checked<Demand> {
        let mut rates: FxHashMap<SideId, Exact> = FxHashMap::default();
        let mut first = usize::MAX;
        while let Some((name, rate)) = words.assignment() {
            let (place, rate) = (self.view.find(name)?, number(rate)?);
            let at = &self.view.places[place];
            let open = at.domain[usize::from(rate.is_positive())].is_none() && !at.restricted;
            ensure!(open; "`{name}` cannot go on without end");
            first = first.min(place);
            for (side, coefficient) in &at.column {
                let sum = rates.entry(*side).or_insert(Exact::ZERO);
                *sum = &*sum + &(coefficient * &rate);
            }
        }
        let mut demand = self.nodes.follow(words.word("a node")?)?;
        let last = first < demand.place && self.view.is_existential(first..demand.place);
        let falls = |side: SideId| rates.get(&side).is_some_and(|rate| *rate < Exact::ZERO);
        let improves = self.view.objective.is_some_and(falls);
        let keeps = rates.values().all(|rate| *rate <= Exact::ZERO);
        ensure!(last && improves && keeps; "the ray breaks a row or improves nothing");
        demand.endless = Some(true);
        Ok(demand)
    }

    /// Reads values `name=value` of variables from a place on, of the universal player or of both.
    fn fix(&mut self, words: &mut Words<'_>, from: usize, all: bool) -> Checked<()> {
        while let Some((name, value)) = words.assignment() {
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

    /// A node that begins at `place`.
    fn follow(&mut self, words: &mut Words<'_>, place: usize) -> Checked<Demand> {
        let word = words.word("a node")?;
        let demand = self.nodes.follow(word)?;
        let found = demand.place;
        ensure!(found == place; "node {word} begins at place {found}, not at place {place}");
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

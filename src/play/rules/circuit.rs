//! Boolean circuits of and-gates and negations, each gate once.

use rustc_hash::FxHashMap;

/// Most gates of one circuit.
const MOST_GATES: usize = 4_000_000;

/// A gate or its negation.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Bit(u32);

impl Bit {
    pub const TRUE: Self = Self(0);
    pub const FALSE: Self = Self(1);

    pub fn constant(truth: bool) -> Self {
        if truth { Self::TRUE } else { Self::FALSE }
    }

    pub fn gate(self) -> usize {
        self.0 as usize >> 1
    }

    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::ops::Not for Bit {
    type Output = Self;

    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// What a gate is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Gate {
    True,
    /// Decided by somebody.
    Input(u32),
    /// All of at least two others.
    And(Vec<Bit>),
}

/// The circuit has more gates than are kept.
#[derive(Copy, Clone, Debug)]
pub(super) struct TooManyGates;

/// Gates, each once.
pub(super) struct Circuit {
    gates: Vec<Gate>,
    known: FxHashMap<Gate, u32>,
    inputs: u32,
    /// Set when a gate found no room; what is built after that has no meaning.
    overflow: bool,
}

impl Circuit {
    pub fn new() -> Self {
        Self {
            gates: vec![Gate::True],
            known: FxHashMap::default(),
            inputs: 0,
            overflow: false,
        }
    }

    pub fn gate(&self, index: usize) -> &Gate {
        &self.gates[index]
    }

    /// Whether everything so far has been built.
    pub fn check(&self) -> Result<(), TooManyGates> {
        if self.overflow {
            Err(TooManyGates)
        } else {
            Ok(())
        }
    }

    pub fn input(&mut self) -> Bit {
        self.inputs += 1;
        self.add(Gate::Input(self.inputs))
    }

    fn add(&mut self, gate: Gate) -> Bit {
        if let Some(&index) = self.known.get(&gate) {
            return Bit(index << 1);
        }
        if self.gates.len() >= MOST_GATES {
            self.overflow = true;
            return Bit::TRUE;
        }
        let index = self.gates.len() as u32;
        self.known.insert(gate.clone(), index);
        self.gates.push(gate);
        Bit(index << 1)
    }

    pub fn and(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        let mut bits: Vec<Bit> = bits.into_iter().filter(|&bit| bit != Bit::TRUE).collect();
        bits.sort_unstable();
        bits.dedup();
        let contradicts = |pair: &[Bit]| pair[0].gate() == pair[1].gate();
        if bits.contains(&Bit::FALSE) || bits.windows(2).any(contradicts) {
            return Bit::FALSE;
        }
        match bits[..] {
            [] => Bit::TRUE,
            [only] => only,
            _ => self.add(Gate::And(bits)),
        }
    }

    pub fn or(&mut self, bits: impl IntoIterator<Item = Bit>) -> Bit {
        let negated: Vec<Bit> = bits.into_iter().map(|bit| !bit).collect();
        !self.and(negated)
    }

    pub fn same(&mut self, left: Bit, right: Bit) -> Bit {
        let one = self.or([!left, right]);
        let other = self.or([left, !right]);
        self.and([one, other])
    }
}

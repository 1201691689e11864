//! The codes of the diagnostics: what can be said about a file, each with a mark that stays.
//!
//! **Invariant:** a code never changes its meaning and is never given to another fault.

use std::fmt;

/// Whether a diagnostic stops the reading.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The file has no meaning until this is mended.
    Error,
    /// The file has a meaning, but perhaps not the one its author had in mind.
    Warning,
}

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident = $mark:literal,)*) => {
        /// A stable mark for each kind of fault. The grammar page lists them with their remedies.
        ///
        /// ```
        /// use quip::format::{Code, Severity};
        /// assert_eq!(Code::NotDeclared.to_string(), "E102");
        /// assert_eq!(Code::EmptyDomain.severity(), Severity::Warning);
        /// ```
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        pub enum Code {
            $($(#[$doc])* $variant,)*
        }

        impl Code {
            /// Every code, in the order of their marks.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The mark, such as `E102`.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $mark,)*
                }
            }
        }
    };
}

codes! {
    /// The bytes are not UTF-8 text.
    NotText = "E001",
    /// The gzip data is damaged or cut off.
    BadGzip = "E002",
    /// The text is larger than is read.
    TooLarge = "E003",
    /// There is nothing in the file.
    EmptyFile = "E004",
    /// A variable is declared twice.
    DeclaredTwice = "E101",
    /// A variable is used that is not declared.
    NotDeclared = "E102",
    /// A word of the format stands where a name belongs.
    KeywordAsName = "E103",
    /// Two rows have the same name.
    DuplicateRow = "E104",
    /// An infinite bound where only a finite one has a meaning.
    InfiniteBound = "E105",
    /// Something else was expected here.
    Unexpected = "E201",
    /// A character that means nothing in the format.
    StrayCharacter = "E202",
    /// The file stops before `end`.
    MissingEnd = "E203",
    /// Something follows `end`.
    TextAfterEnd = "E204",
    /// A section occurs twice.
    DuplicateSection = "E205",
    /// A section that must be there is not.
    MissingSection = "E206",
    /// Sections of both dialects in one file.
    MixedDialects = "E207",
    /// A double inequality that is not a range.
    BadRange = "E208",
    /// A line that could continue the row before it as well as begin a new one.
    UnclearLineBreak = "E209",
    /// A number that cannot be read.
    BadNumber = "E301",
    /// A number too long to be data.
    HugeNumber = "E302",
    /// A fraction over zero.
    ZeroDenominator = "E303",
    /// An infinity where a number belongs.
    InfiniteNumber = "E304",
    /// Digits, `e`, digits: a power of ten or a variable?
    AmbiguousExponent = "E305",
    /// A variable that `ORDER` does not list.
    NotInOrder = "E401",
    /// A variable that both players own.
    BothQuantifiers = "E402",
    /// A variable that no player owns.
    NoQuantifier = "E403",
    /// A variable that is both binary and general.
    TwoKinds = "E404",
    /// The same bound given twice.
    BoundTwice = "E405",
    /// Bounds of a binary variable that leave `[0, 1]`.
    BinaryBounds = "E406",
    /// A row is named that the file does not have.
    NoSuchRow = "E501",
    /// The same number given twice.
    GivenTwice = "E502",
    /// A section or kind of row that has no meaning here.
    NotRead = "E503",
    /// A bound that programs read in different ways.
    UnclearBound = "E504",
    /// A variable that the prefix file does not list.
    NotInPrefix = "E505",
    /// A file that the model names cannot be read.
    CannotReadBeside = "E506",
    /// A bilevel program whose follower is not simply the leader's opponent.
    NotOpposed = "E507",
    /// An auxiliary file that does not fit its model.
    WrongAuxiliary = "E508",
    /// A file of dependency-quantified formulas.
    DependencySets = "E601",
    /// A gate that feeds itself.
    CyclicGate = "E602",
    /// A gate with too many or too few inputs.
    WrongInputs = "E603",
    /// A formula that grows beyond measure when its quantifiers are pulled to the front.
    TooManyCopies = "E604",
    /// Not as many indices as the name has.
    WrongIndices = "E701",
    /// An index for which the name is not declared.
    NoSuchInstance = "E702",
    /// A prioritised rule inside a formula.
    RuleInFormula = "E703",
    /// Both priorities in one chain.
    MixedPriorities = "E704",
    /// A sentence that does not say how the game is played.
    NotAnAxiom = "E705",
    /// Two axioms decide the same thing.
    DefinedTwice = "E706",
    /// No axiom decides it.
    NotDefined = "E707",
    /// An action or the next state where only a state can be spoken of.
    NotHere = "E708",
    /// A definition that leads back to itself.
    Circular = "E709",
    /// A text that nests too deeply or becomes too large when it is spelled out.
    TooMuch = "E710",
    /// A set or parameter without values.
    MissingData = "E801",
    /// Data for something that the model does not have.
    UnknownData = "E802",
    /// A value or element given twice.
    DuplicateKey = "E803",
    /// An index that runs through another set than the one that is meant.
    WrongSet = "E804",
    /// A word where a number belongs, or a number where an element does.
    WrongSort = "E805",
    /// A set that has no elements where it needs some.
    EmptySet = "E806",
    /// A data file that is not in order.
    BadData = "E807",
    /// Something that is not linear in the variables.
    NotLinear = "E808",
    /// A variable where a number is needed.
    NotConstant = "E809",
    /// Something that is not binary where something true or false is needed.
    NotBinary = "E810",
    /// A conditional row over a variable without finite bounds.
    UnboundedWhen = "E811",
    /// A variable that has no value to take.
    EmptyDomain = "W501",
    /// `<`, `>`, `=<` or `=>` for `<=` or `>=`.
    OddRelation = "W502",
    /// A constant on the left of a row, which Yasol ignores.
    LeftConstant = "W503",
    /// A row whose sides have crossed.
    CrossedRow = "W504",
    /// A variable without an upper bound that was not asked for.
    DefaultBound = "W505",
    /// A name that looks like the bounds of the variable before it.
    NameLikeBounds = "W506",
    /// Names that the native format cannot carry were changed.
    NameChanged = "W507",
    /// A free row or a second vector that is not read.
    NotCounted = "W508",
    /// Integer columns of an MPS file that are binary because nothing bounds them.
    BinaryByDefault = "W509",
    /// Bounds that follow from the rows, or from rows and objective.
    DerivedBounds = "W510",
    /// A set that was chosen from others and is empty.
    EmptyChoice = "W801",
    /// The header announces another number of clauses.
    WrongCount = "W601",
    /// A variable with a larger number than the header announces.
    BeyondHeader = "W602",
    /// Variables that no quantifier binds.
    NotQuantified = "W603",
}

impl Code {
    /// Errors are marked `E`, warnings `W`.
    pub fn severity(self) -> Severity {
        if self.as_str().starts_with('W') {
            Severity::Warning
        } else {
            Severity::Error
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.as_str())
    }
}

//! Reading a circuit.
//!
//! ```text
//! file      = "#QCIR-G14" [number] {statement}
//! statement = ("free" | "exists" | "forall") "(" [names] ")" | "output" "(" literal ")"
//!           | name "=" ("and" | "or") "(" [literals] ")"
//!           | name "=" "xor" "(" literal "," literal ")"
//!           | name "=" "ite" "(" literal "," literal "," literal ")"
//!           | name "=" ("exists" | "forall") "(" [names] ";" literal ")"
//! literal   = ["-"] name
//! ```
//! Keywords may be written in any case, line breaks are free, and gates may come in any order.

use std::ops::Range;

use super::circuit::{Circuit, Gate, Input, Meaning, Operation, Symbol};
use super::token::{Kind, Lexer, Token};
use crate::format::code::Code;
use crate::format::diagnostic::{Draft, Problems};
use crate::format::text::{Symbols, shortened};
use crate::program::{Id, Quantifier};

/// The fault has been reported; go on with the next line.
struct Skip;
type Step<T> = Result<T, Skip>;

struct Reader<'t> {
    lexer: Lexer<'t>,
    /// The token in hand: read, not used yet.
    token: Token<'t>,
    problems: Problems,
    circuit: Circuit<'t>,
    free: Vec<Symbol>,
    output_place: Option<Range<usize>>,
}

/// Reads as much as can be read; the circuit is whole only if there is no error.
pub(super) fn read(text: &str) -> (Circuit<'_>, Problems) {
    let mut lexer = Lexer::new(text);
    let token = lexer.next();
    let mut reader = Reader {
        lexer,
        token,
        problems: Problems::default(),
        circuit: Circuit {
            symbols: Symbols::default(),
            meanings: Vec::new(),
            places: Vec::new(),
            prefix: Vec::new(),
            output: None,
            gates: Vec::new(),
        },
        free: Vec::new(),
        output_place: None,
    };
    while reader.token.kind != Kind::End {
        let start = reader.token.start;
        if reader.statement().is_err() {
            reader.skip_line(start);
        }
    }
    reader.require_output(text.len());
    let free = std::mem::take(&mut reader.free);
    reader.circuit.prefix.insert(0, (Quantifier::Exists, free));
    (reader.circuit, reader.problems)
}

impl<'t> Reader<'t> {
    fn statement(&mut self) -> Step<()> {
        if self.token.kind != Kind::Name {
            return self.unexpected("a statement such as `exists(x)`, `output(g)` or `g = and(x)`");
        }
        let word = self.advance();
        if self.token.is(b'=') {
            self.advance();
            return self.gate(word);
        }
        match word.text.to_ascii_lowercase().as_str() {
            "free" => self.variables(word, None),
            "exists" => self.variables(word, Some(Quantifier::Exists)),
            "forall" => self.variables(word, Some(Quantifier::Forall)),
            "output" => self.output(word),
            _ => {
                let message = format!("`{}` opens no statement", shortened(word.text));
                let draft = Draft::new(Code::Unexpected, message).at(word.span(), "");
                let help =
                    "a statement is `exists(…)`, `forall(…)`, `free(…)`, `output(…)` or `gate = …`";
                self.fail(draft.help(help))
            }
        }
    }

    fn variables(&mut self, word: Token<'t>, quantifier: Option<Quantifier>) -> Step<()> {
        if !self.circuit.gates.is_empty() {
            let draft = Draft::new(Code::Unexpected, "a quantifier stands behind a gate");
            let draft = draft.at(word.span(), "");
            let help =
                "the prefix stands before the gates; inside the circuit write `g = exists(x; h)`";
            self.problems.push(draft.help(help));
        }
        self.take(b'(')?;
        let names = self.names(b')')?;
        self.take(b')')?;
        let mut block = Vec::with_capacity(names.len());
        for name in names {
            let symbol = self.symbol(name.text);
            if self.define(symbol, Meaning::Global, name.span()) {
                block.push(symbol);
            }
        }
        match quantifier {
            Some(quantifier) => self.circuit.prefix.push((quantifier, block)),
            None => self.free.extend(block),
        }
        Ok(())
    }

    fn output(&mut self, word: Token<'t>) -> Step<()> {
        self.take(b'(')?;
        let literal = self.literal()?;
        self.take(b')')?;
        if let Some(first) = &self.output_place {
            let draft = Draft::new(Code::DuplicateSection, "the circuit has two outputs");
            let draft = draft
                .at(word.span(), "again here")
                .at(first.clone(), "first here");
            return self.fail(draft.help("join them by an `and` gate"));
        }
        self.output_place = Some(word.span());
        self.circuit.output = Some(literal);
        Ok(())
    }

    fn require_output(&mut self, end: usize) {
        if self.output_place.is_none() && !self.problems.has_errors() {
            let draft = Draft::new(Code::MissingSection, "the circuit has no output");
            let draft = draft.at(end..end, "expected before the end");
            self.problems
                .push(draft.help("name the gate that must be true: `output(g)`"));
        }
    }

    fn gate(&mut self, name: Token<'t>) -> Step<()> {
        let symbol = self.symbol(name.text);
        let meaning = Meaning::Gate(self.circuit.gates.len());
        let is_new = self.define(symbol, meaning, name.span());
        let operation = self.operation()?;
        self.take(b'(')?;
        let bound = match operation {
            Operation::Quantify(_) => self.bound_variables()?,
            _ => Vec::new(),
        };
        let inputs = self.literals()?;
        self.check_inputs(name, operation, inputs.len())?;
        self.take(b')')?;
        if is_new {
            self.circuit.gates.push(Gate {
                symbol,
                operation,
                inputs,
                bound,
            });
        }
        Ok(())
    }

    fn operation(&mut self) -> Step<Operation> {
        let operation = match self.token.text.to_ascii_lowercase().as_str() {
            "and" => Operation::And,
            "or" => Operation::Or,
            "xor" => Operation::Xor,
            "ite" => Operation::Choice,
            "exists" => Operation::Quantify(Quantifier::Exists),
            "forall" => Operation::Quantify(Quantifier::Forall),
            _ => return self.unexpected("`and`, `or`, `xor`, `ite`, `exists` or `forall`"),
        };
        self.advance();
        Ok(operation)
    }

    fn check_inputs(&mut self, name: Token<'t>, operation: Operation, count: usize) -> Step<()> {
        let (wanted, shape) = match operation {
            Operation::And | Operation::Or => return Ok(()),
            Operation::Xor => (2, "xor(a, b)"),
            Operation::Choice => (3, "ite(condition, then, else)"),
            Operation::Quantify(_) => (1, "exists(x, y; a)"),
        };
        if count == wanted {
            return Ok(());
        }
        let message = format!(
            "gate `{}` has {count} inputs instead of {wanted}",
            shortened(name.text)
        );
        let draft = Draft::new(Code::WrongInputs, message).at(name.span(), "");
        self.fail(draft.help(format!("it is written `{shape}`")))
    }

    fn bound_variables(&mut self) -> Step<Vec<Symbol>> {
        let names = self.names(b';')?;
        self.take(b';')?;
        let mut bound = Vec::with_capacity(names.len());
        for name in names {
            let symbol = self.symbol(name.text);
            let meaning = &self.circuit.meanings[symbol.index()];
            // Another quantifier may bind the same name: the inner one counts.
            let is_variable = matches!(meaning, Meaning::Global | Meaning::Bound);
            if is_variable || self.define(symbol, Meaning::Bound, name.span()) {
                bound.push(symbol);
            }
        }
        Ok(bound)
    }

    /// Names up to `closing`, which stays in hand.
    fn names(&mut self, closing: u8) -> Step<Vec<Token<'t>>> {
        let mut names = Vec::new();
        while !self.token.is(closing) {
            if !names.is_empty() {
                self.take(b',')?;
            }
            if self.token.kind != Kind::Name {
                return self.unexpected("the name of a variable");
            }
            names.push(self.advance());
        }
        Ok(names)
    }

    /// Literals up to `)`, which stays in hand.
    fn literals(&mut self) -> Step<Vec<Input>> {
        let mut literals = Vec::new();
        while !self.token.is(b')') {
            if !literals.is_empty() {
                self.take(b',')?;
            }
            literals.push(self.literal()?);
        }
        Ok(literals)
    }

    fn literal(&mut self) -> Step<Input> {
        let negated = self.token.is(b'-');
        if negated {
            self.advance();
        }
        if self.token.kind != Kind::Name {
            return self.unexpected("a name");
        }
        let name = self.advance();
        let symbol = self.circuit.symbols.number_of_use(name.text, name.span());
        self.know(symbol);
        Ok((symbol, !negated))
    }

    fn symbol(&mut self, name: &'t str) -> Symbol {
        let symbol = self.circuit.symbols.number(name);
        self.know(symbol);
        symbol
    }

    fn know(&mut self, symbol: Symbol) {
        if symbol.index() == self.circuit.meanings.len() {
            self.circuit.meanings.push(Meaning::Unknown);
            self.circuit.places.push(0..0);
        }
    }

    /// Gives the name its meaning; false if it has one already.
    fn define(&mut self, symbol: Symbol, meaning: Meaning, span: Range<usize>) -> bool {
        if self.circuit.meanings[symbol.index()] != Meaning::Unknown {
            let name = shortened(self.circuit.symbols.name(symbol));
            let draft = Draft::new(Code::DeclaredTwice, format!("`{name}` is declared twice"));
            let draft = draft.at(span, "again here");
            let draft = draft.at(self.circuit.places[symbol.index()].clone(), "first here");
            self.problems.push(draft.help("remove one, or rename it"));
            return false;
        }
        self.circuit.meanings[symbol.index()] = meaning;
        self.circuit.places[symbol.index()] = span;
        true
    }

    fn take(&mut self, sign: u8) -> Step<()> {
        if !self.token.is(sign) {
            return self.unexpected(&format!("`{}`", char::from(sign)));
        }
        self.advance();
        Ok(())
    }

    fn advance(&mut self) -> Token<'t> {
        std::mem::replace(&mut self.token, self.lexer.next())
    }

    fn unexpected<T>(&mut self, wanted: &str) -> Step<T> {
        let token = self.token;
        let draft = match token.kind {
            Kind::Stray => {
                let message = format!("`{}` means nothing here", token.text.escape_debug());
                let draft = Draft::new(Code::StrayCharacter, message);
                draft.help("names are letters, digits and `_`; comments begin with `#`")
            }
            Kind::End => Draft::new(Code::Unexpected, "the file ends too early"),
            _ => {
                let message = format!("`{}` is unexpected here", shortened(token.text));
                Draft::new(Code::Unexpected, message)
            }
        };
        self.fail(draft.at(token.span(), format!("expected {wanted}")))
    }

    fn fail<T>(&mut self, draft: Draft) -> Step<T> {
        self.problems.push(draft);
        Err(Skip)
    }

    /// Goes on with the next line; at least one token further than `start`.
    fn skip_line(&mut self, start: usize) {
        if self.token.start == start && self.token.kind != Kind::End {
            self.advance();
        }
        while self.token.kind != Kind::End && !self.token.first_of_line {
            self.advance();
        }
    }
}

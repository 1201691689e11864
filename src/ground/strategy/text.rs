//! A strategy as a decision tree in words.
//!
//! ```text
//! open = 1
//! if d1 >= 2: order = 3
//! else: order = 1, go on at [1]
//!
//! [1]
//! ...
//! ```
//!
//! A part that several lines lead to has a number and stands once, so the text grows with the
//! graph and not with the tree. Parts that are nested too deep get a number as well.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::held::Strategy;
use super::outline::{
    Answer, Step, Then, condition, end_in_words, headline, is_mixed, moves_in_words, outline,
};
use crate::num::Digits;
use crate::program::{Program, VarId};

/// Deeper parts stand on their own, so that no line is mostly blank.
const DEEPEST: usize = 8;

impl Strategy {
    /// The strategy as a decision tree in words.
    ///
    /// ```
    /// use quip::format::parse_qip;
    /// use quip::program::Quantifier;
    /// use quip::solver::{Options, Solver};
    ///
    /// let program = parse_qip(
    ///     "minimize x subject to x >= 2 y - 3
    ///      prefix forall integer y in [0, 3]  exists integer x in [0, 5]  end",
    /// )?;
    /// let options = Options { certificate: true, ..Options::default() };
    /// let outcome = Solver::new(options).solve(&program)?;
    /// let strategy = outcome.held(&program, Quantifier::Exists).expect("it is won");
    /// assert!(strategy.to_text(&program).contains("x = 3"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_text(&self, program: &Program) -> String {
        self.to_text_with(program, Digits::Rounded)
    }

    /// The same, with numbers written in this way. Conditions on what is observed are exact anyway.
    pub fn to_text_with(&self, program: &Program, digits: Digits) -> String {
        let mut writer = Writer {
            program,
            digits,
            steps: outline(self),
            labels: FxHashMap::default(),
            sections: VecDeque::new(),
            text: format!("{}\n\n", headline(program, digits, self)),
        };
        writer.section(0);
        while let Some(step) = writer.sections.pop_front() {
            let label = writer.labels[&step];
            writer.text += &format!("\n[{label}]\n");
            writer.section(step);
        }
        writer.text
    }
}

struct Writer<'a> {
    program: &'a Program,
    digits: Digits,
    steps: Vec<Step>,
    /// The numbers of parts that stand on their own.
    labels: FxHashMap<usize, usize>,
    sections: VecDeque<usize>,
    text: String,
}

/// A step to be written, behind `head` or on lines of its own.
struct Task {
    step: usize,
    indent: usize,
    head: String,
}

impl Writer<'_> {
    fn section(&mut self, first: usize) {
        let mut tasks = vec![Task {
            step: first,
            indent: 0,
            head: String::new(),
        }];
        while let Some(task) = tasks.pop() {
            let step = self.steps[task.step].clone();
            let separate = step.uses > 1 || task.indent > DEEPEST;
            if separate && task.step != first && !step.is_short_end() {
                let body = self.reference(task.step);
                self.line(task.indent, &task.head, &body);
            } else {
                self.step(&step, &task, &mut tasks);
            }
        }
    }

    /// Writes a step; what follows it goes on the stack.
    fn step(&mut self, step: &Step, task: &Task, tasks: &mut Vec<Task>) {
        let mut body = moves_in_words(self.program, self.digits, &step.moves);
        let mut append = |words: String| {
            if !words.is_empty() {
                body += if body.is_empty() { "" } else { ", " };
                body += &words;
            }
        };
        let indent = task.indent;
        match &step.then {
            Then::End(end) => append(end_in_words(self.program, self.digits, end)),
            Then::Go(to) => append(self.reference(*to)),
            Then::Any(variables, to) => {
                let head = self.whatever(variables);
                let indent = self.block(indent, &task.head, &body);
                tasks.push(Task {
                    step: *to,
                    indent,
                    head,
                });
                return;
            }
            Then::Ask(variable, answers) => {
                let indent = self.block(indent, &task.head, &body);
                let heads = self.heads(*variable, answers);
                let children = answers.iter().zip(heads).rev();
                tasks.extend(children.map(|(answer, head)| Task {
                    step: answer.to,
                    indent,
                    head,
                }));
                return;
            }
        }
        if body.is_empty() {
            "done".clone_into(&mut body);
        }
        self.line(indent, &task.head, &body);
    }

    /// Opens what stands below `head`; tells how far it is indented.
    fn block(&mut self, indent: usize, head: &str, body: &str) -> usize {
        let inside = indent + usize::from(!head.is_empty());
        if !head.is_empty() {
            self.line(indent, head, "");
        }
        if !body.is_empty() {
            self.line(inside, "", body);
        }
        inside
    }

    fn line(&mut self, indent: usize, head: &str, body: &str) {
        let gap = if head.is_empty() || body.is_empty() {
            ""
        } else {
            " "
        };
        self.text += &format!("{}{head}{gap}{body}\n", "  ".repeat(indent));
    }

    fn reference(&mut self, step: usize) -> String {
        let next = self.labels.len() + 1;
        let label = *self.labels.entry(step).or_insert(next);
        if label == next {
            self.sections.push_back(step);
        }
        format!("go on at [{label}]")
    }

    fn whatever(&self, variables: &[VarId]) -> String {
        let name = |var: &VarId| self.program.variables()[*var].name.as_str();
        let names: Vec<&str> = variables.iter().map(name).collect();
        match names.as_slice() {
            [] => String::new(),
            names => format!("whatever {}:", names.join(", ")),
        }
    }

    /// `if d1 >= 2:` … `else:`; a real variable has no `else`, because values in between are mixed.
    fn heads(&self, variable: VarId, answers: &[Answer]) -> Vec<String> {
        let mixed = is_mixed(self.program, variable);
        let head = |(place, answer): (usize, &Answer)| {
            let words = condition(self.program, variable, &answer.ranges);
            match (place, mixed) {
                (0, false) => format!("if {words}:"),
                (_, false) if place + 1 == answers.len() => format!("else ({words}):"),
                (_, false) => format!("else if {words}:"),
                (0, true) => format!("if {words}:"),
                (_, true) => format!("if {words} (in between both answers are mixed):"),
            }
        };
        answers.iter().enumerate().map(head).collect()
    }
}

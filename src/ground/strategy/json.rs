//! A strategy for programs: `quip-strategy/1`. Numbers are exact strings; a node refers to earlier
//! ones only, one node a line.

use serde::Serialize;

use super::Branch;
use super::held::{End, Illegal, Strategy, StrategyNode};
use crate::num::Rational;
use crate::program::{Id, Program, Quantifier, RowId, VarId};

#[derive(Serialize)]
struct Head<'a> {
    schema: &'static str,
    model: &'a str,
    player: String,
    guarantee: &'static str,
    value: Option<String>,
    root: usize,
}

#[derive(Serialize)]
#[serde(tag = "node", rename_all = "snake_case")]
enum Node<'a> {
    Choose {
        id: usize,
        variable: &'a str,
        value: String,
        next: usize,
    },
    Await {
        id: usize,
        variable: &'a str,
        branches: Vec<BranchJson>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        illegal: Vec<IllegalJson>,
    },
    End {
        id: usize,
        end: &'static str,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        moves: Vec<(&'a str, String)>,
    },
}

#[derive(Serialize)]
struct BranchJson {
    from: String,
    to: String,
    next: usize,
}

#[derive(Serialize)]
struct IllegalJson {
    from: String,
    to: String,
    /// Rows by name, or by number from one where they have none.
    rows: Vec<String>,
}

impl Strategy {
    /// The strategy as JSON.
    pub fn to_json(&self, program: &Program) -> String {
        let head = Head {
            schema: "quip-strategy/1",
            model: &program.fingerprint(),
            player: self.owner().to_string(),
            guarantee: self.guarantee().word(),
            value: self.guaranteed_value(program).map(|it| it.to_string()),
            root: self.root().index(),
        };
        let nodes = self.nodes().iter().enumerate();
        let lines: Vec<String> = nodes
            .map(|(id, node)| line(&described(program, self.owner(), id, node)))
            .collect();
        let head = line(&head);
        let open = head.strip_suffix('}').unwrap_or(&head);
        format!("{open},\"nodes\":[\n{}\n]}}\n", lines.join(",\n"))
    }
}

impl End {
    /// Its word in JSON.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::OpponentDead => "won",
            Self::Ray(_) => "ray",
            Self::Settled(_) => "settled",
            Self::Open(_) => "open",
            Self::Cut => "cut",
        }
    }
}

fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("invariant: plain data is JSON")
}

fn described<'a>(
    program: &'a Program,
    owner: Quantifier,
    id: usize,
    node: &StrategyNode,
) -> Node<'a> {
    let name = |var: VarId| program.variables()[var].name.as_str();
    match node {
        StrategyNode::Choose {
            variable,
            value,
            next,
        } => Node::Choose {
            id,
            variable: name(*variable),
            value: value.to_string(),
            next: next.index(),
        },
        StrategyNode::Await {
            variable,
            branches,
            illegal,
        } => Node::Await {
            id,
            variable: name(*variable),
            branches: branches.iter().map(branch).collect(),
            illegal: illegal
                .iter()
                .map(|range| forbidden(program, owner.opponent(), range))
                .collect(),
        },
        StrategyNode::End(end) => {
            let moves: &[(VarId, Rational)] = match end {
                End::Ray(moves) | End::Settled(moves) | End::Open(moves) => moves,
                End::Complete | End::OpponentDead | End::Cut => &[],
            };
            let moves = moves
                .iter()
                .map(|(var, value)| (name(*var), value.to_string()));
            Node::End {
                id,
                end: end.word(),
                moves: moves.collect(),
            }
        }
    }
}

fn branch(branch: &Branch) -> BranchJson {
    BranchJson {
        from: branch.from.to_string(),
        to: branch.to.to_string(),
        next: branch.next.index(),
    }
}

fn forbidden(program: &Program, opponent: Quantifier, range: &Illegal) -> IllegalJson {
    let row = |row: &RowId| {
        let name = program.system(opponent)[*row].name.clone();
        name.unwrap_or_else(|| (row.index() + 1).to_string())
    };
    IllegalJson {
        from: range.from.to_string(),
        to: range.to.to_string(),
        rows: range.rows.iter().map(row).collect(),
    }
}

//! The board of a game as the script of a page draws it.

use serde_json::{Value, json};

use crate::games::play::{Effect, Read, Role, Scene, Shape};

/// Short lists instead of names.
pub(super) fn json(scene: &Scene) -> Value {
    json!({
        "shape": match scene.shape {
            Shape::Squares => "squares",
            Shape::Hexes => "hexes",
            Shape::Graph => "graph",
            Shape::Heaps => "heaps",
        },
        "places": scene.places,
        "arrows": scene.arrows,
        "tokens": scene.tokens,
        "reads": scene.reads.iter().map(read).collect::<Vec<_>>(),
    })
}

fn read(read: &Read) -> Value {
    json!({
        "pattern": read.pattern,
        "effect": match read.effect {
            Effect::Put => "put",
            Effect::Walk => "walk",
            Effect::Stand => "stand",
            Effect::Carry => "carry",
            Effect::Take => "take",
            Effect::Erase => "erase",
            Effect::Follow => "follow",
        },
        "role": match read.role {
            Role::Move => "move",
            Role::Announced => "announced",
            Role::Shown => "shown",
        },
        "token": read.token,
        "binary": read.binary,
        "factors": read.factors,
        "table": read.table,
    })
}

//! The corners and faces of a bounded solid in three dimensions, exactly.

use itertools::Itertools;
use num_traits::Zero;

use crate::lp::square_solution;
use crate::num::{Rational, int};
use crate::program::{Id, Program, Row, evaluate};

/// A point of the solid.
pub(super) type Point = [Rational; 3];

/// `Σ factor · coordinate = side`, the plane of one side of a row or a bound.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Plane {
    factors: [Rational; 3],
    side: Rational,
}

/// What the rows and bounds of a program of three variables allow.
pub(super) struct Solid {
    /// The corners.
    pub corners: Vec<Point>,
    /// The corners of each face, by their number, in no order.
    pub faces: Vec<Vec<usize>>,
}

impl Solid {
    /// The solid of a program with three bounded variables.
    pub fn of(program: &Program) -> Self {
        let planes = planes(program);
        let corners = corners(program, &planes);
        let on = |plane: &Plane| -> Vec<usize> {
            let touches = |at: &usize| plane.holds(&corners[*at]);
            (0..corners.len()).filter(touches).collect()
        };
        let faces = planes.iter().map(on).filter(|face| face.len() > 2);
        Self {
            faces: faces.unique().collect(),
            corners,
        }
    }

    /// The corners of the slice in which the first variable has this value.
    pub fn slice(program: &Program, value: &Rational) -> Vec<Point> {
        let cut = Plane {
            factors: [int(1), int(0), int(0)],
            side: value.clone(),
        };
        let mut found: Vec<Point> = Vec::new();
        let all = planes(program);
        for [left, right] in all.iter().array_combinations() {
            push_corner(program, [&cut, left, right], &mut found);
        }
        found
    }
}

impl Plane {
    fn holds(&self, point: &Point) -> bool {
        let parts = self.factors.iter().zip(point);
        parts
            .map(|(factor, value)| factor * value)
            .sum::<Rational>()
            == self.side
    }

    fn line(&self) -> Vec<Rational> {
        self.factors.iter().chain([&self.side]).cloned().collect()
    }
}

fn corners(program: &Program, planes: &[Plane]) -> Vec<Point> {
    let mut found = Vec::new();
    for meeting in planes.iter().array_combinations() {
        push_corner(program, meeting, &mut found);
    }
    found
}

/// Adds the point in which three planes meet, if there is one, it is allowed and it is new.
fn push_corner(program: &Program, planes: [&Plane; 3], found: &mut Vec<Point>) {
    let system = planes.iter().map(|plane| plane.line()).collect();
    let Some(point) = square_solution(system) else {
        return;
    };
    let inside = program
        .variables()
        .iter()
        .zip(&point)
        .all(|(variable, value)| variable.bounds.contains(value));
    let holds = |row: &Row| row.admits(&evaluate(&row.terms, |var| &point[var.index()]));
    if inside && program.rows().iter().all(holds) {
        let point = [point[0].clone(), point[1].clone(), point[2].clone()];
        if !found.contains(&point) {
            found.push(point);
        }
    }
}

fn planes(program: &Program) -> Vec<Plane> {
    let mut planes: Vec<Plane> = Vec::new();
    let mut push = |factors: [Rational; 3], sides: [&Option<Rational>; 2]| {
        for side in sides.into_iter().flatten().dedup() {
            let plane = Plane {
                factors: factors.clone(),
                side: side.clone(),
            };
            if !planes.contains(&plane) {
                planes.push(plane);
            }
        }
    };
    for (place, variable) in program.variables().iter().enumerate() {
        let mut factors = [Rational::zero(), Rational::zero(), Rational::zero()];
        factors[place] = int(1);
        push(factors, [&variable.bounds.lower, &variable.bounds.upper]);
    }
    for row in program.rows() {
        let mut factors = [Rational::zero(), Rational::zero(), Rational::zero()];
        for (var, factor) in &row.terms {
            factors[var.index()] = factor.clone();
        }
        push(factors, [&row.lower, &row.upper]);
    }
    planes
}

//! Production planning with real quantities: a quantified linear program.
//!
//! **Model.** Several products share one machine. In every period the demand of each product is
//! revealed, any number of an interval; then we serve it from the stock, from what was made in the
//! period before, by overtime, or not at all, which is dear; and we decide what is made for the
//! next period, within the capacity of the machine. We minimise the worst total cost, in tenths.
//!
//! With `products · periods` universal variables in `periods` stages behind the first one, it is the
//! measure of how the decomposition grows.

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::{built, dice};
use crate::model::{Expr, Model, Stage, Var, row, sum};
use crate::program::Program;

/// What to generate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Production {
    /// Products; at least one.
    pub products: usize,
    /// Periods; at least one.
    pub periods: usize,
    /// The dice.
    pub seed: u64,
}

/// What is decided about a product in a period.
struct Decided {
    made: Var,
    overtime: Var,
    stock: Var,
    lost: Var,
}

/// The program.
///
/// ```
/// use quip::games::or::production::{Production, generate};
/// let program = generate(&Production { products: 2, periods: 3, seed: 1 });
/// assert_eq!(program.blocks().len(), 7);
/// assert_eq!(program.variables().len(), 2 + 3 * 2 * 5);
/// ```
pub fn generate(family: &Production) -> Program {
    let dice = &mut dice(family.seed);
    let products = family.products.max(1);
    let mut model = Model::new();
    let mut cost = Expr::new();
    let mut made: Vec<Var> = Vec::with_capacity(products);
    for product in 0..products {
        let first = model
            .decide()
            .real(format!("x0_{product}").as_str(), 0..=12);
        cost += dice.random_range(10..=20i64) * first;
        made.push(first);
    }
    let mut stock: Vec<Expr> = vec![Expr::new(); products];
    for period in 1..=family.periods.max(1) {
        let demand = demands(&mut model.reveal(), period, products, dice);
        let mut stage = model.decide();
        let decided: Vec<Decided> = (0..products)
            .map(|product| decide(&mut stage, &format!("{period}_{product}"), &mut cost, dice))
            .collect();
        for (product, here) in decided.iter().enumerate() {
            let served = stock[product].clone() + made[product] + here.overtime + here.lost;
            model.subject_to(row!(served - here.stock - demand[product] == 0));
            stock[product] = here.stock.into();
            made[product] = here.made;
        }
        let capacity = dice.random_range(8..=12i64);
        model.subject_to(row!(sum(made.iter().copied()) <= capacity));
    }
    model.minimize_as("cost", cost);
    built(&model)
}

fn demands(
    stage: &mut Stage<'_>,
    period: usize,
    products: usize,
    dice: &mut ChaCha8Rng,
) -> Vec<Var> {
    let mut demand = |product: usize| {
        let low = dice.random_range(0..=4i64);
        stage.real(format!("d{period}_{product}").as_str(), low..=low + 5)
    };
    (0..products).map(&mut demand).collect()
}

fn decide(stage: &mut Stage<'_>, place: &str, cost: &mut Expr, dice: &mut ChaCha8Rng) -> Decided {
    let mut variable = |letter: &str, upper: i64, least: i64, most: i64| {
        let variable = stage.real(format!("{letter}{place}").as_str(), 0..=upper);
        *cost += dice.random_range(least..=most) * variable;
        variable
    };
    Decided {
        made: variable("x", 9, 10, 20),
        overtime: variable("o", 20, 30, 50),
        stock: variable("s", 30, 2, 8),
        lost: variable("b", 60, 60, 90),
    }
}

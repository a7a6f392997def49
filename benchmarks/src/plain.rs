//! `flows/ten.asl.json` and `flows/linear.asl.json` as async functions, on the runtime's own
//! `Value`: without frames, retries, time-outs, clock, observers, panic guards, limits, save
//! points and concurrency. It is the floor for what the runtime costs.

use workflow_runtime::__private::{object, string};
use workflow_runtime::{Fault, Value};

use crate::members::{get, set};
use crate::ready::Ready;

/// Runs the workflow of ten states.
///
/// # Errors
///
/// Fails if a task fails, or if a member is missing.
pub async fn ten(tasks: &Ready, mut d: Value) -> Result<Value, Fault> {
    begin(tasks, &mut d).await?;
    let gift = get(&d, &["order", "kind"])?.as_str() == Some("gift");
    let noted = get(&d, &["order", "note"]).is_ok();
    if !(is_large(&d)? || gift && noted) {
        enrich(tasks, &mut d).await?;
        let left = object([("id", get(&d, &["order", "id"])?.clone())]);
        let score = object([("score", get(&d, &["enriched", "score"])?.clone())]);
        let right = tasks.run("Right", score).await?;
        set(&mut d, "fan", Value::from(vec![left, right]))?;
        let items = get(&d, &["order", "items"])?.clone();
        let items = items.as_array().ok_or_else(|| Fault::runtime("no items"))?;
        let mut priced = Vec::with_capacity(items.len());
        for item in items {
            let mut item = item.clone();
            let price = tasks.run("Price", item.clone()).await?;
            set(&mut item, "price", price)?;
            set(&mut item, "priced", Value::Bool(true))?;
            priced.push(item);
        }
        set(&mut d, "priced", Value::from(priced))?;
        let score = get(&d, &["enriched", "score"])?.as_i64().unwrap_or(0);
        if sum(&mut d, score)? < 0.0 {
            return Ok(d);
        }
    }
    set(&mut d, "tag", string("done"))?;
    Ok(d)
}

/// Runs the linear workflow.
///
/// # Errors
///
/// Fails if a task fails, or if a member is missing.
pub async fn linear(tasks: &Ready, mut d: Value) -> Result<Value, Fault> {
    begin(tasks, &mut d).await?;
    if !is_large(&d)? {
        enrich(tasks, &mut d).await?;
        let id = get(&d, &["order", "id"])?.clone();
        let shape = object([("id", id), ("score", get(&d, &["enriched", "score"])?.clone())]);
        set(&mut d, "shape", shape)?;
        let price = tasks.run("Price", d.clone()).await?;
        set(&mut d, "price", price)?;
        let price = get(&d, &["price"])?.as_i64().unwrap_or(0);
        if sum(&mut d, price)? < 0.0 {
            return Ok(d);
        }
    }
    set(&mut d, "tag", string("done"))?;
    Ok(d)
}

/// The states `Init` and `Fetch`.
async fn begin(tasks: &Ready, d: &mut Value) -> Result<(), Fault> {
    set(d, "meta", object([("source", string("bench")), ("version", Value::Int(3))]))?;
    let order = tasks.run("Fetch", d.clone()).await?;
    set(d, "order", order)
}

/// The first rule of the state `Gate`.
fn is_large(d: &Value) -> Result<bool, Fault> {
    Ok(get(d, &["order", "total"])?.as_f64().is_some_and(|total| total > 100_000.0))
}

/// The state `Enrich`.
async fn enrich(tasks: &Ready, d: &mut Value) -> Result<(), Fault> {
    let input = object([
        ("id", get(d, &["order", "id"])?.clone()),
        ("total", get(d, &["order", "total"])?.clone()),
        ("source", get(d, &["meta", "source"])?.clone()),
    ]);
    let result = tasks.run("Enrich", input).await?;
    set(d, "enriched", object([("score", get(&result, &["total"])?.clone()), ("by", string("enrich"))]))
}

/// The states `Sum` and `Check`. Returns the sum.
fn sum(d: &mut Value, addend: i64) -> Result<f64, Fault> {
    let total = get(d, &["order", "total"])?.as_i64().unwrap_or(0);
    set(d, "sum", object([("sum", Value::Int(total + addend))]))?;
    Ok(get(d, &["sum", "sum"])?.as_f64().unwrap_or(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::by_hand::ByHand;
    use crate::generated::{linear::Linear, ten::Ten};
    use crate::ready;
    use workflow_runtime::__private::Builder;
    use workflow_runtime::Workflow;

    async fn run<W: Workflow>(input: &Value) -> Result<Value, Fault> {
        Builder::<W>::new().name("test").seed(1).tasks(&Ready).run(input.clone()).await
    }

    #[test]
    fn plain_functions_have_the_output_of_the_generated_code() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        for payload in [false, true] {
            let input = ready::input(payload);
            runtime.block_on(async {
                let expected = run::<Ten>(&input).await.expect("an output");
                assert_eq!(expected.get("sum"), Some(&object([("sum", Value::Int(8400))])));
                assert_eq!(run::<ByHand>(&input).await, Ok(expected.clone()));
                assert_eq!(ten(&Ready, input.clone()).await, Ok(expected));
                let expected = run::<Linear>(&input).await.expect("an output");
                assert_eq!(expected.get("sum"), Some(&object([("sum", Value::Int(4242))])));
                assert_eq!(linear(&Ready, input.clone()).await, Ok(expected));
            });
        }
    }
}

//! Compares translated expressions with the evaluator.

use workflow_differential_jsonata_compiled::{EXPRESSIONS, both_ways, inputs};

/// The least number of expressions in a hundred that are translated.
const TRANSLATED: usize = 75;

#[test]
fn translated_code_has_the_outcome_of_the_evaluator() {
    let inputs = inputs();
    let mut different = Vec::new();
    let mut cases = 0;
    for expression in EXPRESSIONS {
        for (at, input) in inputs.iter().enumerate() {
            let (evaluated, translated) = both_ways(expression, input);
            let Some(translated) = translated else { continue };
            cases += 1;
            if evaluated != translated {
                let source = expression.0;
                different
                    .push(format!("{source}\n  input {at}\n  evaluated  {evaluated}\n  translated {translated}"));
                break;
            }
        }
    }
    println!("{cases} cases, {} different", different.len());
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn most_expressions_are_translated() {
    let translated = EXPRESSIONS.iter().filter(|(_, translated)| translated.is_ok()).count();
    println!("{translated} of {} expressions are translated", EXPRESSIONS.len());
    assert!(EXPRESSIONS.len() >= 1_000 && translated * 100 >= EXPRESSIONS.len() * TRANSLATED);
}

//! Generated code compared with code by hand and with plain functions, pure states, commands,
//! payloads, and iterations.

use divan::Bencher;
use workflow_benchmarks::by_hand::ByHand;
use workflow_benchmarks::generated::{chain, each, linear, pure, ten};
use workflow_benchmarks::ready::{self, Ready};
use workflow_benchmarks::{Turns, calibration, items, plain};
use workflow_runtime::__private::Builder;
use workflow_runtime::{Fault, Value, Workflow};

fn main() {
    divan::main();
    calibration::print("machine");
}

fn run<W: Workflow>(bencher: Bencher<'_, '_>, payload: bool) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let input = ready::input(payload);
    bencher.with_inputs(calibration::interleave).bench_local_values(|()| {
        runtime.block_on(Builder::<W>::new().name("bench").seed(1).tasks(&Ready).run(input.clone())).expect("an output")
    });
}

fn run_plain(bencher: Bencher<'_, '_>, payload: bool, function: impl AsyncFn(Value) -> Result<Value, Fault>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let input = ready::input(payload);
    bencher
        .with_inputs(calibration::interleave)
        .bench_local_values(|()| runtime.block_on(function(input.clone())).expect("an output"));
}

#[divan::bench(args = [false, true])]
fn ten_by_hand(bencher: Bencher<'_, '_>, payload: bool) {
    run::<ByHand>(bencher, payload);
}

#[divan::bench(args = [false, true])]
fn ten_generated(bencher: Bencher<'_, '_>, payload: bool) {
    run::<ten::Ten>(bencher, payload);
}

#[divan::bench(args = [false, true])]
fn ten_plain(bencher: Bencher<'_, '_>, payload: bool) {
    run_plain(bencher, payload, async |input| plain::ten(&Ready, input).await);
}

#[divan::bench(args = [false, true])]
fn linear_generated(bencher: Bencher<'_, '_>, payload: bool) {
    run::<linear::Linear>(bencher, payload);
}

#[divan::bench(args = [false, true])]
fn linear_plain(bencher: Bencher<'_, '_>, payload: bool) {
    run_plain(bencher, payload, async |input| plain::linear(&Ready, input).await);
}

#[divan::bench(args = [false, true])]
fn pure_states(bencher: Bencher<'_, '_>, payload: bool) {
    run::<pure::Pure>(bencher, payload);
}

#[divan::bench(args = [false, true])]
fn commands(bencher: Bencher<'_, '_>, payload: bool) {
    run::<chain::Chain>(bencher, payload);
}

/// Runs a Map of `items` items, with 64 tasks in progress at the same time.
#[divan::bench(args = [64, 10_000])]
fn iterations(bencher: Bencher<'_, '_>, count: i64) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let input = items(count);
    bencher.with_inputs(calibration::interleave).bench_local_values(|()| {
        let run = Builder::<each::Each>::new().name("bench").seed(1).tasks(&Turns).run(input.clone());
        runtime.block_on(run).expect("an output")
    });
}

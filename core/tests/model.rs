//! Random interleavings of all verbs from several handles, against a model in memory: after every step the reply
//! and the whole keyspace must be what the model says, and every id in exactly one place.
//!
//! `DELAYQ_MODEL_CASES=1000 cargo test --test model` runs more cases than CI does.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs, unreachable_pub)]

#[path = "model/keyspace.rs"]
mod keyspace;
#[path = "model/leases.rs"]
mod leases;
#[path = "model/op.rs"]
mod op;
#[path = "model/state.rs"]
mod state;
mod support;
#[path = "model/world.rs"]
mod world;

use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

use op::op;
use world::World;

const STEPS_PER_CASE: usize = 60;

fn cases() -> u32 {
    std::env::var("DELAYQ_MODEL_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(200)
}

#[test]
fn verbs_do_what_the_model_says() {
    let steps = AtomicUsize::new(0);
    let config =
        Config { cases: cases(), failure_persistence: None, max_shrink_iters: 2000, ..Config::default() };
    let outcome = TestRunner::new(config).run(&prop::collection::vec(op(), 1..=STEPS_PER_CASE), |ops| {
        let mut world = World::new();
        for op in &ops {
            world.step(op);
            steps.fetch_add(1, Ordering::Relaxed);
        }
        Ok(())
    });
    println!("{} steps compared", steps.load(Ordering::Relaxed));
    outcome.unwrap();
}

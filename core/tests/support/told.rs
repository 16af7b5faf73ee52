//! What a worker tells.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use delayq::WorkerBuilder;

/// What a worker told, as `kind` -> how often.
#[derive(Clone, Default)]
pub struct Told(Arc<Mutex<HashMap<&'static str, usize>>>);

impl Told {
    pub fn listen(&self, worker: WorkerBuilder) -> WorkerBuilder {
        let told = self.clone();
        worker.on_event(move |event| {
            *told.0.lock().unwrap().entry(event.kind().as_str()).or_default() += 1;
        })
    }

    pub fn count(&self, kind: &str) -> usize {
        self.0.lock().unwrap().get(kind).copied().unwrap_or(0)
    }
}

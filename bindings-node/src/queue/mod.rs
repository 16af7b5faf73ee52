//! The handle on one topic. Each verb converts its arguments, and the funnel does the rest.

mod consume;
mod operate;
mod produce;

use std::sync::Arc;

use napi::bindgen_prelude::*;
use napi_derive::napi;

use crate::call;
use crate::client::Pools;
use crate::convert;
use crate::policy::RetryPolicy;

/// Options of a queue handle; durations in ms.
#[napi(object, object_to_js = false)]
pub struct QueueOptions {
    /// How long a popped job belongs to its consumer.
    pub lease: Option<f64>,
    /// How long a done marker is kept.
    pub done_ttl: Option<f64>,
    /// How long a body outlives its job's due time or lease.
    pub job_ttl: Option<f64>,
    /// Largest payload in bytes.
    pub max_payload: Option<f64>,
    /// How often a job may be delivered.
    pub max_deliveries: Option<f64>,
    /// How failed jobs are retried.
    pub retry_policy: Option<RetryPolicy>,
}

impl QueueOptions {
    pub(crate) fn convert(self) -> delayq::Result<delayq::QueueOptions> {
        let mut core = delayq::QueueOptions::new();
        if let Some(ms) = self.lease {
            core = core.lease(convert::duration("lease", ms)?);
        }
        if let Some(ms) = self.done_ttl {
            core = core.done_ttl(convert::duration("doneTtl", ms)?);
        }
        if let Some(ms) = self.job_ttl {
            core = core.job_ttl(convert::duration("jobTtl", ms)?);
        }
        if let Some(bytes) = self.max_payload {
            core = core.max_payload(convert::whole("maxPayload", bytes)?);
        }
        if let Some(deliveries) = self.max_deliveries {
            core = core.max_deliveries(convert::whole("maxDeliveries", deliveries)?);
        }
        if let Some(policy) = self.retry_policy {
            core = core.retry_policy(policy.convert()?);
        }
        Ok(core)
    }
}

/// A handle on one topic.
#[napi]
pub struct Queue {
    core: delayq::Queue,
    pools: Arc<Pools>,
}

impl Queue {
    pub(crate) fn new(core: delayq::Queue, pools: Arc<Pools>) -> Self {
        Queue { core, pools }
    }

    /// The core's handle, for a worker.
    pub(crate) fn core(&self) -> delayq::Queue {
        self.core.clone()
    }

    /// The threads of its client.
    pub(crate) fn pools(&self) -> Arc<Pools> {
        Arc::clone(&self.pools)
    }

    /// Runs a verb that answers as soon as Redis does.
    fn run<'env, T: ToNapiValue + Send + 'static>(
        &self,
        env: &'env Env,
        verb: impl FnOnce(&delayq::Queue) -> delayq::Result<T> + Send + 'static,
    ) -> Result<Object<'env>> {
        let core = self.core.clone();
        call::later(env, &self.pools.commands, move || verb(&core))
    }
}

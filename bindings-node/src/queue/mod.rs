//! The handle on one topic. Each verb converts its arguments, and the funnel does the rest.

use std::sync::Arc;

use napi::bindgen_prelude::*;
use napi_derive::napi;

use crate::call;
use crate::cancel::{self, CancelToken};
use crate::client::Pools;
use crate::convert::{self, Enqueued, Jobs, NewJob, Requeued};

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
}

#[napi]
impl Queue {
    /// Stores a job.
    #[napi(catch_unwind, ts_args_type = "job: unknown[]", ts_return_type = "Promise<Enqueued>")]
    pub fn enqueue<'env>(&self, env: &'env Env, job: NewJob) -> Result<Object<'env>> {
        let core = self.core.clone();
        call::later(env, &self.pools.commands, move || core.enqueue(job.convert()?).map(Enqueued::from))
    }

    /// Stores many jobs.
    #[napi(catch_unwind, ts_args_type = "jobs: unknown[][]", ts_return_type = "Promise<Enqueued[]>")]
    pub fn enqueue_many<'env>(&self, env: &'env Env, jobs: Vec<NewJob>) -> Result<Object<'env>> {
        let core = self.core.clone();
        call::later(env, &self.pools.commands, move || {
            let jobs = jobs.into_iter().map(NewJob::convert).collect::<delayq::Result<_>>()?;
            Ok(core.enqueue_many(jobs)?.into_iter().map(Enqueued::from).collect::<Vec<_>>())
        })
    }

    /// Takes due jobs; a pop that may wait has a thread of its own.
    #[napi(catch_unwind, ts_return_type = "Promise<unknown[]>")]
    pub fn pop<'env>(
        &self,
        env: &'env Env,
        max: f64,
        lease: Option<f64>,
        wait: Option<f64>,
        cancel: Option<&CancelToken>,
    ) -> Result<Object<'env>> {
        let core = self.core.clone();
        let token = cancel.map(CancelToken::token).unwrap_or_default();
        let pool = if wait.is_some() { &self.pools.waits } else { &self.pools.commands };
        let pending = cancel::enter(token.clone());
        call::later(env, pool, move || {
            let _pending = pending;
            let mut options = delayq::PopOptions::new(convert::whole("max", max)?).cancel(token);
            if let Some(ms) = lease {
                options = options.lease(convert::duration("lease", ms)?);
            }
            if let Some(ms) = wait {
                options = options.wait(convert::duration("wait", ms)?);
            }
            core.pop(options).map(Jobs)
        })
    }

    /// Reports a job as done.
    #[napi(catch_unwind, ts_return_type = "Promise<string>")]
    pub fn ack<'env>(
        &self,
        env: &'env Env,
        topic: String,
        id: String,
        receipt: String,
    ) -> Result<Object<'env>> {
        let core = self.core.clone();
        call::later(env, &self.pools.commands, move || {
            let lease = delayq::Lease { topic: topic.into(), id: id.into(), receipt: receipt.into() };
            core.ack(lease).map(delayq::AckOutcome::as_str)
        })
    }

    /// Makes jobs whose lease has ended due again.
    #[napi(catch_unwind, ts_return_type = "Promise<Requeued>")]
    pub fn requeue<'env>(&self, env: &'env Env, limit: Option<f64>) -> Result<Object<'env>> {
        let core = self.core.clone();
        call::later(env, &self.pools.commands, move || {
            let limit = limit.map_or(Ok(delayq::DEFAULT_REQUEUE), |limit| convert::whole("limit", limit))?;
            core.requeue(limit).map(Requeued::from)
        })
    }

    /// Removes a job in any live state.
    #[napi(catch_unwind, ts_return_type = "Promise<string>")]
    pub fn cancel<'env>(&self, env: &'env Env, id: String) -> Result<Object<'env>> {
        let core = self.core.clone();
        call::later(env, &self.pools.commands, move || core.cancel(&id).map(delayq::CancelOutcome::as_str))
    }
}

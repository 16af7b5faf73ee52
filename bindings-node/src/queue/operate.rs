//! The verbs of whoever looks after the topic.

use std::time::Duration;

use delayq::{DEFAULT_SLICE, MAX_SLICE, State};
use napi::bindgen_prelude::*;
use napi_derive::napi;

use super::Queue;
use crate::convert::{duration, duration_or, invalid, whole, whole_or};
use crate::jobs::Infos;
use crate::results::{Purged, Redriven, Repaired, Requeued};
use crate::stats::Stats;

#[napi]
impl Queue {
    /// Makes jobs whose lease has ended due again.
    #[napi(catch_unwind, ts_return_type = "Promise<Requeued>")]
    pub fn requeue<'env>(&self, env: &'env Env, limit: Option<f64>) -> Result<Object<'env>> {
        self.run(env, move |core| core.requeue(whole_or("limit", limit, DEFAULT_SLICE)?).map(Requeued::from))
    }

    /// Everything about one job.
    #[napi(catch_unwind, ts_return_type = "Promise<unknown[]>")]
    pub fn get<'env>(&self, env: &'env Env, id: String) -> Result<Object<'env>> {
        self.run(env, move |core| Ok(Infos(vec![core.get(&id)?])))
    }

    /// A page of the jobs of one state.
    #[napi(catch_unwind, ts_return_type = "Promise<unknown[]>")]
    pub fn list<'env>(
        &self,
        env: &'env Env,
        state: String,
        offset: Option<f64>,
        limit: Option<f64>,
    ) -> Result<Object<'env>> {
        self.run(env, move |core| {
            let (offset, limit) = (whole_or("offset", offset, 0)?, whole_or("limit", limit, DEFAULT_SLICE)?);
            core.list(State::parse(&state)?, offset, limit).map(Infos)
        })
    }

    /// Schedules dead jobs again: these, or the longest dead.
    #[napi(catch_unwind, ts_return_type = "Promise<Redriven>")]
    pub fn redrive<'env>(
        &self,
        env: &'env Env,
        ids: Option<Vec<String>>,
        limit: Option<f64>,
        delay: Option<f64>,
    ) -> Result<Object<'env>> {
        self.run(env, move |core| {
            let delay = duration_or("delay", delay, Duration::ZERO)?;
            let redriven = match (ids, limit) {
                (None, limit) => core.redrive(whole_or("limit", limit, DEFAULT_SLICE)?, delay),
                (Some(ids), None) => {
                    core.redrive_ids(&ids.iter().map(String::as_str).collect::<Vec<_>>(), delay)
                }
                (Some(_), Some(_)) => Err(invalid("ids and limit are both given; give one of them")),
            };
            redriven.map(Redriven::from)
        })
    }

    /// Deletes jobs of one state.
    #[napi(catch_unwind, ts_return_type = "Promise<Purged>")]
    pub fn purge<'env>(&self, env: &'env Env, state: String, limit: Option<f64>) -> Result<Object<'env>> {
        self.run(env, move |core| {
            core.purge(State::parse(&state)?, whole_or("limit", limit, MAX_SLICE)?).map(Purged::from)
        })
    }

    /// Puts lost halves of jobs right.
    #[napi(catch_unwind, ts_return_type = "Promise<Repaired>")]
    pub fn repair<'env>(&self, env: &'env Env, limit: Option<f64>) -> Result<Object<'env>> {
        self.run(env, move |core| core.repair(whole_or("limit", limit, MAX_SLICE)?).map(Repaired::from))
    }

    /// The numbers of the topic.
    #[napi(catch_unwind, ts_return_type = "Promise<Stats>")]
    pub fn stats<'env>(&self, env: &'env Env, overdue: Option<f64>) -> Result<Object<'env>> {
        self.run(env, move |core| {
            let stats = match overdue {
                Some(ms) => core.stats_with(duration("overdue", ms)?),
                None => core.stats(),
            };
            stats.map(Stats::from)
        })
    }

    /// Gives no jobs to any consumer.
    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn pause<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        self.run(env, delayq::Queue::pause)
    }

    /// Ends a pause.
    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn resume<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        self.run(env, delayq::Queue::resume)
    }

    /// Sets how many jobs per second consumers are given, or takes the limit away.
    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn limit<'env>(&self, env: &'env Env, rate: Option<f64>, burst: Option<f64>) -> Result<Object<'env>> {
        self.run(env, move |core| match (rate, burst) {
            (Some(rate), burst) => core.limit(rate, burst.map(|burst| whole("burst", burst)).transpose()?),
            (None, None) => core.unlimit(),
            (None, Some(_)) => {
                Err(invalid("burst is given without a rate; give both, or null alone to take the limit away"))
            }
        })
    }
}

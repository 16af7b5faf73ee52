//! The verbs of producers.

use napi::bindgen_prelude::*;
use napi_derive::napi;

use super::Queue;
use crate::jobs::NewJob;
use crate::results::Enqueued;

#[napi]
impl Queue {
    /// Stores a job.
    #[napi(catch_unwind, ts_args_type = "job: unknown[]", ts_return_type = "Promise<Enqueued>")]
    pub fn enqueue<'env>(&self, env: &'env Env, job: NewJob) -> Result<Object<'env>> {
        self.run(env, move |core| core.enqueue(job.convert()?).map(Enqueued::from))
    }

    /// Stores many jobs.
    #[napi(catch_unwind, ts_args_type = "jobs: unknown[][]", ts_return_type = "Promise<Enqueued[]>")]
    pub fn enqueue_many<'env>(&self, env: &'env Env, jobs: Vec<NewJob>) -> Result<Object<'env>> {
        self.run(env, move |core| {
            let jobs = jobs.into_iter().map(NewJob::convert).collect::<delayq::Result<_>>()?;
            Ok(core.enqueue_many(jobs)?.into_iter().map(Enqueued::from).collect::<Vec<_>>())
        })
    }

    /// Removes a job in any live state.
    #[napi(catch_unwind, ts_return_type = "Promise<string>")]
    pub fn cancel<'env>(&self, env: &'env Env, id: String) -> Result<Object<'env>> {
        self.run(env, move |core| core.cancel(&id).map(delayq::CancelOutcome::as_str))
    }
}

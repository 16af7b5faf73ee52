//! The verbs of consumers.

use std::time::Duration;

use napi::bindgen_prelude::*;
use napi_derive::napi;

use super::Queue;
use crate::call;
use crate::cancel::{self, CancelToken};
use crate::convert::{duration, duration_or, whole};
use crate::jobs::{Failure, Jobs, Lease};
use crate::results::{Extended, Released, Retried};

#[napi]
impl Queue {
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
            let mut options = delayq::PopOptions::new(whole("max", max)?).cancel(token);
            if let Some(ms) = lease {
                options = options.lease(duration("lease", ms)?);
            }
            if let Some(ms) = wait {
                options = options.wait(duration("wait", ms)?);
            }
            core.pop(options).map(Jobs)
        })
    }

    /// Reports a job as done.
    #[napi(catch_unwind, ts_args_type = "lease: string[]", ts_return_type = "Promise<string>")]
    pub fn ack<'env>(&self, env: &'env Env, lease: Lease) -> Result<Object<'env>> {
        self.run(env, move |core| core.ack(lease).map(delayq::AckOutcome::as_str))
    }

    /// Reports many jobs as done.
    #[napi(catch_unwind, ts_args_type = "leases: string[][]", ts_return_type = "Promise<string[]>")]
    pub fn ack_many<'env>(&self, env: &'env Env, leases: Vec<Lease>) -> Result<Object<'env>> {
        self.run(env, move |core| {
            Ok(core.ack_many(leases)?.into_iter().map(delayq::AckOutcome::as_str).collect::<Vec<_>>())
        })
    }

    /// Reports a job as failed.
    #[napi(catch_unwind, ts_args_type = "failure: unknown[]", ts_return_type = "Promise<Retried>")]
    pub fn retry<'env>(&self, env: &'env Env, failure: Failure) -> Result<Object<'env>> {
        self.run(env, move |core| core.retry(failure.convert()?).map(Retried::from))
    }

    /// Reports many jobs as failed.
    #[napi(catch_unwind, ts_args_type = "failures: unknown[][]", ts_return_type = "Promise<Retried[]>")]
    pub fn retry_many<'env>(&self, env: &'env Env, failures: Vec<Failure>) -> Result<Object<'env>> {
        self.run(env, move |core| {
            let jobs = failures.into_iter().map(Failure::convert).collect::<delayq::Result<Vec<_>>>()?;
            Ok(core.retry_many(jobs)?.into_iter().map(Retried::from).collect::<Vec<_>>())
        })
    }

    /// Hands a job back without counting a failure.
    #[napi(
        catch_unwind,
        ts_args_type = "lease: string[], delay: number | undefined",
        ts_return_type = "Promise<Released>"
    )]
    pub fn release<'env>(&self, env: &'env Env, lease: Lease, delay: Option<f64>) -> Result<Object<'env>> {
        self.run(env, move |core| {
            core.release(lease, duration_or("delay", delay, Duration::ZERO)?).map(Released::from)
        })
    }

    /// Hands many jobs back.
    #[napi(
        catch_unwind,
        ts_args_type = "leases: string[][], delay: number | undefined",
        ts_return_type = "Promise<Released[]>"
    )]
    pub fn release_many<'env>(
        &self,
        env: &'env Env,
        leases: Vec<Lease>,
        delay: Option<f64>,
    ) -> Result<Object<'env>> {
        self.run(env, move |core| {
            let released = core.release_many(leases, duration_or("delay", delay, Duration::ZERO)?)?;
            Ok(released.into_iter().map(Released::from).collect::<Vec<_>>())
        })
    }

    /// Makes a lease end later.
    #[napi(
        catch_unwind,
        ts_args_type = "lease: string[], duration: number | undefined",
        ts_return_type = "Promise<Extended>"
    )]
    pub fn extend<'env>(&self, env: &'env Env, lease: Lease, ms: Option<f64>) -> Result<Object<'env>> {
        self.run(env, move |core| {
            let duration = ms.map(|ms| duration("lease", ms)).transpose()?;
            core.extend(lease, duration).map(Extended::from)
        })
    }

    /// Makes many leases end later.
    #[napi(
        catch_unwind,
        ts_args_type = "leases: string[][], duration: number | undefined",
        ts_return_type = "Promise<Extended[]>"
    )]
    pub fn extend_many<'env>(
        &self,
        env: &'env Env,
        leases: Vec<Lease>,
        ms: Option<f64>,
    ) -> Result<Object<'env>> {
        self.run(env, move |core| {
            let duration = ms.map(|ms| duration("lease", ms)).transpose()?;
            Ok(core.extend_many(leases, duration)?.into_iter().map(Extended::from).collect::<Vec<_>>())
        })
    }
}

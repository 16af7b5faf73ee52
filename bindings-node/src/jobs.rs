//! Jobs on their way in and out: to enqueue, popped, to finish, and as `get` and `list` show them.
//!
//! All of them are arrays, since an array's elements are read and written several times faster than properties are
//! found and made.

use delayq::When;
use napi::bindgen_prelude::*;

use crate::convert::{duration, invalid};
use crate::policy::RetryPolicy;

/// Makes a type one that is read from an array of its fields; what is `undefined` was not given.
macro_rules! from_array {
    ($name:ident, $text:literal, |$fields:ident| $read:expr) => {
        impl TypeName for $name {
            fn type_name() -> &'static str {
                $text
            }

            fn value_type() -> ValueType {
                ValueType::Object
            }
        }

        impl ValidateNapiValue for $name {}

        impl FromNapiValue for $name {
            unsafe fn from_napi_value(env: sys::napi_env, value: sys::napi_value) -> Result<Self> {
                // SAFETY: both come from the call that Node is just making, on its thread.
                let $fields = unsafe { Array::from_napi_value(env, value) }?;
                Ok($read)
            }
        }
    };
}

/// A job to enqueue: `[payload, id, delay, at, mode, ignoreDone, retryPolicy]`; times in ms.
pub struct NewJob {
    payload: Vec<u8>,
    id: Option<String>,
    delay: Option<f64>,
    at: Option<f64>,
    mode: Option<String>,
    ignore_done: Option<bool>,
    retry_policy: Option<RetryPolicy>,
}

from_array!(NewJob, "NewJob", |fields| NewJob {
    // The bytes are copied at once: JavaScript may change them as soon as this call returns.
    payload: fields.get::<&[u8]>(0)?.unwrap_or_default().to_vec(),
    id: fields.get::<Option<String>>(1)?.flatten(),
    delay: fields.get::<Option<f64>>(2)?.flatten(),
    at: fields.get::<Option<f64>>(3)?.flatten(),
    mode: fields.get::<Option<String>>(4)?.flatten(),
    ignore_done: fields.get::<Option<bool>>(5)?.flatten(),
    retry_policy: fields.get::<Option<RetryPolicy>>(6)?.flatten(),
});

impl NewJob {
    pub(crate) fn convert(mut self) -> delayq::Result<delayq::NewJob> {
        let id = self.id.take();
        let job = self.convert_rest().map_err(|e| match &id {
            Some(id) => e.with_id(id),
            None => e,
        })?;
        Ok(match id {
            Some(id) => job.id(id),
            None => job,
        })
    }

    fn convert_rest(self) -> delayq::Result<delayq::NewJob> {
        let mut job = delayq::NewJob::new(self.payload).ignore_done(self.ignore_done.unwrap_or(false));
        match (self.delay, self.at) {
            (None, None) => {}
            (Some(ms), None) => job = job.when(When::DelayMsF64(ms)),
            (None, Some(ms)) => job = job.when(When::AtMsF64(ms)),
            (Some(_), Some(_)) => return Err(invalid("delay and at are both given; give one of them")),
        }
        if let Some(word) = &self.mode {
            job = job.mode(delayq::Mode::parse(word)?);
        }
        if let Some(policy) = self.retry_policy {
            job = job.retry_policy(policy.convert()?);
        }
        Ok(job)
    }
}

/// The right to finish a job: `[topic, id, receipt]`.
pub struct Lease {
    topic: String,
    id: String,
    receipt: String,
}

from_array!(Lease, "Lease", |fields| Lease {
    topic: fields.get(0)?.unwrap_or_default(),
    id: fields.get(1)?.unwrap_or_default(),
    receipt: fields.get(2)?.unwrap_or_default(),
});

impl From<Lease> for delayq::Lease<'static> {
    fn from(lease: Lease) -> Self {
        delayq::Lease { topic: lease.topic.into(), id: lease.id.into(), receipt: lease.receipt.into() }
    }
}

/// A failed job to report: `[lease, error, delay]`; the delay in ms.
pub struct Failure {
    lease: Lease,
    error: Option<String>,
    delay: Option<f64>,
}

from_array!(Failure, "Failure", |fields| Failure {
    lease: fields.get(0)?.ok_or_else(|| Error::from_reason("a failure without a lease"))?,
    error: fields.get::<Option<String>>(1)?.flatten(),
    delay: fields.get::<Option<f64>>(2)?.flatten(),
});

impl Failure {
    pub(crate) fn convert(self) -> delayq::Result<delayq::Retry<'static>> {
        let delay = self.delay.map(|ms| duration("delay", ms)).transpose();
        let delay = delay.map_err(|e| e.with_id(&self.lease.id))?;
        let mut retry = delayq::Retry::new(self.lease);
        if let Some(error) = self.error {
            retry = retry.error(error);
        }
        if let Some(delay) = delay {
            retry = retry.delay(delay);
        }
        Ok(retry)
    }
}

/// Popped jobs, as one flat array of each job's fields in turn: `lib/job.js` takes it apart.
pub(crate) struct Jobs(pub(crate) Vec<delayq::Job>);

impl ToNapiValue for Jobs {
    unsafe fn to_napi_value(env: sys::napi_env, jobs: Self) -> Result<sys::napi_value> {
        let env = Env::from_raw(env);
        let mut fields = env.create_array(0)?;
        for job in jobs.0 {
            insert(&env, &mut fields, &job)?;
        }
        // SAFETY: the array was just made in this environment, on its thread.
        unsafe { Array::to_napi_value(env.raw(), fields) }
    }
}

/// Adds one job's fields.
pub(crate) fn insert(env: &Env, fields: &mut Array<'_>, job: &delayq::Job) -> Result<()> {
    fields.insert(job.id())?;
    fields.insert(job.receipt())?;
    fields.insert(job.deliveries())?;
    fields.insert(job.retry_count())?;
    fields.insert(job.created_at_ms())?;
    fields.insert(job.due_at_ms())?;
    fields.insert(job.lease_until_ms())?;
    fields.insert(BufferSlice::copy_from(env, job.payload())?)
}

/// Jobs as `get` and `list` show them, as one flat array of each job's fields in turn: `lib/info.js` takes it apart.
pub(crate) struct Infos(pub(crate) Vec<delayq::JobInfo>);

impl ToNapiValue for Infos {
    unsafe fn to_napi_value(env: sys::napi_env, infos: Self) -> Result<sys::napi_value> {
        let env = Env::from_raw(env);
        let mut fields = env.create_array(0)?;
        for info in infos.0 {
            fields.insert(info.id)?;
            fields.insert(info.state.as_str())?;
            fields.insert(info.payload.map(|bytes| BufferSlice::copy_from(&env, bytes)).transpose()?)?;
            fields.insert(info.due_at_ms)?;
            fields.insert(info.created_at_ms)?;
            fields.insert(info.picked_at_ms)?;
            fields.insert(info.lease_until_ms)?;
            fields.insert(info.died_at_ms)?;
            fields.insert(info.orphaned_at_ms)?;
            fields.insert(info.retry_count)?;
            fields.insert(info.deliveries)?;
            fields.insert(info.last_error)?;
        }
        // SAFETY: as above.
        unsafe { Array::to_napi_value(env.raw(), fields) }
    }
}

//! Values from JavaScript and back.

use std::time::Duration;

use delayq::{Error, ErrorKind, When};
use napi::bindgen_prelude::*;
use napi_derive::napi;

/// A duration of JavaScript's unit, ms.
pub(crate) fn duration(name: &str, ms: f64) -> delayq::Result<Duration> {
    delayq::time::ms_from_ms_f64(name, ms).map(|ms| Duration::from_millis(ms.unsigned_abs()))
}

/// A count, which JavaScript has only as a floating-point number.
pub(crate) fn whole<T: TryFrom<u64>>(name: &str, number: f64) -> delayq::Result<T> {
    let refused = || {
        Error::new(
            ErrorKind::InvalidArgument,
            format!("{name} is {number}; give a whole number, zero or more"),
        )
    };
    // Beyond 2^53 a float does not say which whole number is meant.
    if !(number.fract() == 0.0 && (0.0..=9_007_199_254_740_991.0).contains(&number)) {
        return Err(refused());
    }
    T::try_from(number as u64).map_err(|_| refused())
}

/// A job to enqueue: `[payload, id, delay, at, mode, ignoreDone]`, an array since its elements are read faster
/// than an object's properties are found. Times in ms; what is `undefined` was not given.
pub struct NewJob {
    payload: Vec<u8>,
    id: Option<String>,
    delay: Option<f64>,
    at: Option<f64>,
    mode: Option<String>,
    ignore_done: Option<bool>,
}

impl NewJob {
    pub(crate) fn convert(self) -> delayq::Result<delayq::NewJob> {
        let mut job = delayq::NewJob::new(self.payload).ignore_done(self.ignore_done.unwrap_or(false));
        let when = match (self.delay, self.at) {
            (None, None) => When::Now,
            (Some(ms), None) => When::DelayMsF64(ms),
            (None, Some(ms)) => When::AtMsF64(ms),
            (Some(_), Some(_)) => {
                let e =
                    Error::new(ErrorKind::InvalidArgument, "delay and at are both given; give one of them");
                return Err(match &self.id {
                    Some(id) => e.with_id(id),
                    None => e,
                });
            }
        };
        if let Some(word) = &self.mode {
            job = job.mode(delayq::Mode::parse(word).map_err(|e| match &self.id {
                Some(id) => e.with_id(id),
                None => e,
            })?);
        }
        if let Some(id) = self.id {
            job = job.id(id);
        }
        Ok(job.when(when))
    }
}

impl TypeName for NewJob {
    fn type_name() -> &'static str {
        "NewJob"
    }

    fn value_type() -> ValueType {
        ValueType::Object
    }
}

impl ValidateNapiValue for NewJob {}

impl FromNapiValue for NewJob {
    unsafe fn from_napi_value(env: sys::napi_env, value: sys::napi_value) -> Result<Self> {
        // SAFETY: both come from the call that Node is just making, on its thread.
        let fields = unsafe { Array::from_napi_value(env, value) }?;
        // The bytes are copied at once: JavaScript may change them as soon as this call returns.
        let payload = fields.get::<&[u8]>(0)?.unwrap_or_default().to_vec();
        Ok(NewJob {
            payload,
            id: fields.get::<Option<String>>(1)?.flatten(),
            delay: fields.get::<Option<f64>>(2)?.flatten(),
            at: fields.get::<Option<f64>>(3)?.flatten(),
            mode: fields.get::<Option<String>>(4)?.flatten(),
            ignore_done: fields.get::<Option<bool>>(5)?.flatten(),
        })
    }
}

/// What became of an enqueued job.
#[napi(object, object_from_js = false)]
pub struct Enqueued {
    /// The job's id.
    pub id: String,
    /// When it is due, ms since the epoch.
    pub due_at_ms: Option<i64>,
    /// What was done.
    pub outcome: &'static str,
}

impl From<delayq::Enqueued> for Enqueued {
    fn from(e: delayq::Enqueued) -> Self {
        Enqueued { id: e.id, due_at_ms: e.due_at_ms, outcome: e.outcome.as_str() }
    }
}

/// What a sweep did.
#[napi(object, object_from_js = false)]
pub struct Requeued {
    /// Jobs that are due again.
    pub requeued: i64,
    /// Jobs delivered too often.
    pub dead: i64,
    /// Ids whose body was missing.
    pub orphaned: i64,
}

impl From<delayq::Requeued> for Requeued {
    fn from(r: delayq::Requeued) -> Self {
        let count = |n: u64| i64::try_from(n).unwrap_or(i64::MAX);
        Requeued { requeued: count(r.requeued), dead: count(r.dead), orphaned: count(r.orphaned) }
    }
}

/// Popped jobs, as one flat array of each job's fields in turn: `lib/job.js` takes it apart. Filling one array is
/// several times faster than making an object with named properties for each job.
pub(crate) struct Jobs(pub(crate) Vec<delayq::Job>);

impl ToNapiValue for Jobs {
    unsafe fn to_napi_value(env: sys::napi_env, jobs: Self) -> Result<sys::napi_value> {
        let env = Env::from_raw(env);
        let mut fields = env.create_array(0)?;
        for job in jobs.0 {
            fields.insert(job.id())?;
            fields.insert(job.receipt())?;
            fields.insert(job.deliveries())?;
            fields.insert(job.retry_count())?;
            fields.insert(job.created_at_ms())?;
            fields.insert(job.due_at_ms())?;
            fields.insert(job.lease_until_ms())?;
            fields.insert(BufferSlice::copy_from(&env, job.payload())?)?;
        }
        // SAFETY: the array was just made in this environment, on its thread.
        unsafe { Array::to_napi_value(env.raw(), fields) }
    }
}

//! A request: form text, whose values are bytes.

use std::time::Duration;

use delayq::{Error, ErrorKind, Mode, NewJob, Result, RetryPolicy, When};
use percent_encoding::percent_decode;

/// One request: pairs of key and value, the value in bytes.
pub(crate) struct Request(Vec<(String, Vec<u8>)>);

impl Request {
    pub(crate) fn parse(text: &[u8]) -> Self {
        let pairs = text.split(|b| *b == b'&').filter(|pair| !pair.is_empty());
        let decode = |part: &[u8]| {
            let spaced: Vec<u8> = part.iter().map(|b| if *b == b'+' { b' ' } else { *b }).collect();
            percent_decode(&spaced).collect::<Vec<u8>>()
        };
        let parts = pairs.map(|pair| match pair.iter().position(|b| *b == b'=') {
            Some(at) => (decode(&pair[..at]), decode(&pair[at + 1..])),
            None => (decode(pair), Vec::new()),
        });
        Request(parts.map(|(key, value)| (String::from_utf8_lossy(&key).into_owned(), value)).collect())
    }

    pub(crate) fn all(&self, key: &str) -> impl Iterator<Item = &[u8]> {
        self.0.iter().filter(move |(k, _)| k == key).map(|(_, value)| value.as_slice())
    }

    pub(crate) fn text(&self, key: &str) -> Option<String> {
        self.all(key).next().map(|value| String::from_utf8_lossy(value).into_owned())
    }

    pub(crate) fn required(&self, key: &str) -> Result<String> {
        self.text(key).ok_or_else(|| misuse(key))
    }

    pub(crate) fn number<T: std::str::FromStr>(&self, key: &str) -> Result<Option<T>> {
        self.text(key).map(|text| text.parse().map_err(|_| misuse(key))).transpose()
    }

    pub(crate) fn duration(&self, key: &str) -> Result<Option<Duration>> {
        Ok(self.number(key)?.map(Duration::from_millis))
    }
}

impl Request {
    pub(crate) fn policy(&self) -> Result<Option<RetryPolicy>> {
        let Some(text) = self.all("policy").next() else { return Ok(None) };
        let part = Request::parse(text);
        let base = part.duration("base_ms")?.ok_or_else(|| misuse("base_ms"))?;
        let mut policy = match part.required("kind")?.as_str() {
            "exponential" => {
                let cap = part.duration("cap_ms")?.unwrap_or(Duration::from_secs(3600));
                RetryPolicy::exponential(base, part.number("factor")?.unwrap_or(2.0), cap)
            }
            "linear" => RetryPolicy::linear(base),
            "fixed" => RetryPolicy::fixed(base),
            _ => return Err(misuse("kind")),
        };
        if let Some(cap) = part.duration("cap_ms")? {
            policy = policy.cap(cap);
        }
        if let Some(jitter) = part.number("jitter")? {
            policy = policy.jitter(jitter);
        }
        if let Some(retries) = part.number("max_retries")? {
            policy = policy.max_retries(retries);
        }
        Ok(Some(policy))
    }
}

pub(crate) fn new_job(request: &Request) -> Result<NewJob> {
    let payload = request.all("payload").next().unwrap_or_default();
    let mut job = NewJob::new(payload).ignore_done(request.text("ignore_done").as_deref() == Some("1"));
    if let Some(id) = request.text("id") {
        job = job.id(id);
    }
    if let Some(mode) = request.text("mode") {
        job = job.mode(Mode::parse(&mode)?);
    }
    if let Some(policy) = request.policy()? {
        job = job.retry_policy(policy);
    }
    // Whole numbers as integers, so that no digit is lost; the rest as the float that it is.
    if let Some(ms) = request.text("delay_ms") {
        job = job.when(ms.parse().map(When::DelayMs).or_else(|_| number(&ms).map(When::DelayMsF64))?);
    }
    if let Some(ms) = request.text("at_ms") {
        job = job.when(ms.parse().map(When::AtMs).or_else(|_| number(&ms).map(When::AtMsF64))?);
    }
    Ok(job)
}

pub(crate) fn number(text: &str) -> Result<f64> {
    text.parse().map_err(|_| misuse(text))
}

/// A request that the runner's language does not have; scenarios never expect this kind.
pub(crate) fn misuse(what: &str) -> Error {
    Error::new(ErrorKind::Internal, format!("the runner was asked nonsense: {what}"))
}

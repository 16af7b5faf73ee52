//! How long something took.

use delayq_core::Histogram;

use crate::guard::guard_or;

/// How long something took, over the life of the topic and all consumers in all languages. Durations are exact
/// below 16 ms and fall into eight steps to each doubling above, so a quantile is at most an eighth too high.
/// Owned by the numbers that it was read from.
pub struct delayq_histogram {
    histogram: Histogram,
    /// Upper edge and count of every step that occurs.
    steps: Vec<(u64, u64)>,
}

impl delayq_histogram {
    pub(crate) fn new(histogram: Histogram) -> Self {
        delayq_histogram { steps: histogram.buckets().collect(), histogram }
    }

    fn quantile(this: Option<&Self>, share: f64) -> i64 {
        // A NaN is no share.
        let quantile = this.filter(|_| !share.is_nan()).and_then(|this| this.histogram.quantile(share));
        quantile.map_or(-1, whole_ms)
    }
}

/// A duration as C has it; nothing lasts longer than that fits.
pub(crate) fn whole_ms(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}

/// How many durations there are; 0 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_histogram_count(histogram: Option<&delayq_histogram>) -> u64 {
    guard_or(0, || histogram.map_or(0, |histogram| histogram.histogram.count()))
}

/// The duration that this share (0 to 1) of all durations does not exceed; -1 while there are no durations, for
/// NULL and for a share that is not a number.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_histogram_quantile_ms(histogram: Option<&delayq_histogram>, share: f64) -> i64 {
    guard_or(-1, || delayq_histogram::quantile(histogram, share))
}

/// The median; -1 while there are no durations and for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_histogram_p50_ms(histogram: Option<&delayq_histogram>) -> i64 {
    guard_or(-1, || delayq_histogram::quantile(histogram, 0.50))
}

/// The 95th percentile; -1 while there are no durations and for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_histogram_p95_ms(histogram: Option<&delayq_histogram>) -> i64 {
    guard_or(-1, || delayq_histogram::quantile(histogram, 0.95))
}

/// The 99th percentile; -1 while there are no durations and for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_histogram_p99_ms(histogram: Option<&delayq_histogram>) -> i64 {
    guard_or(-1, || delayq_histogram::quantile(histogram, 0.99))
}

/// How many steps of durations occur; 0 for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_histogram_buckets_len(histogram: Option<&delayq_histogram>) -> usize {
    guard_or(0, || histogram.map_or(0, |histogram| histogram.steps.len()))
}

/// The longest duration of a step, ascending by index; -1 past the last step and for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_histogram_bucket_upper_ms(
    histogram: Option<&delayq_histogram>,
    index: usize,
) -> i64 {
    let upper = |histogram: &delayq_histogram| histogram.steps.get(index).map(|(upper, _)| whole_ms(*upper));
    guard_or(-1, || histogram.and_then(upper).unwrap_or(-1))
}

/// How many durations fall into a step alone, not into the shorter ones too; 0 past the last step and for NULL.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn delayq_histogram_bucket_count(histogram: Option<&delayq_histogram>, index: usize) -> u64 {
    let count = |histogram: &delayq_histogram| histogram.steps.get(index).map(|(_, count)| *count);
    guard_or(0, || histogram.and_then(count).unwrap_or(0))
}

//! `list`.

use delayq_core::Result;

use crate::error::delayq_error;
use crate::guard::guard_verb;
use crate::job_info::{delayq_job_info, delayq_job_info_list};
use crate::out::Out;
use crate::queue::delayq_queue;
use crate::state::{delayq_state, state_number};
use crate::status::delayq_status;

/// Looks up a page of the jobs of one state: by due time (scheduled), lease deadline (processing), or since when
/// (dead, orphan). A page may be shorter than `limit` if its bodies are large; the end is an empty page.
///
/// `state` is any but `DELAYQ_STATE_DONE`. `offset` is how many jobs to pass over. `limit` is 1 to
/// `DELAYQ_MAX_SLICE`; `DELAYQ_DEFAULT_SLICE` is what the other languages take. `*list` is owned by the caller,
/// see `delayq_job_info_list_free()`, and is never NULL after success.
///
/// Errors: `DELAYQ_ERR_INVALID_ARGUMENT` for a bad state or limit; `DELAYQ_ERR_UNAVAILABLE`,
/// `DELAYQ_ERR_TIMEOUT`, `DELAYQ_ERR_SERVER`, `DELAYQ_ERR_INCOMPATIBLE`, `DELAYQ_ERR_CLOSED`.
///
/// Since: 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn delayq_queue_list(
    queue: Option<&delayq_queue>,
    state: state_number,
    offset: usize,
    limit: usize,
    list: *mut *mut delayq_job_info_list,
    err: *mut *mut delayq_error,
) -> delayq_status {
    // SAFETY: NULL or writable, by the header's rules.
    let (list, err) = unsafe { (Out::object(list), Out::object(err)) };
    guard_verb(err, "list", queue, |queue| {
        list.required("list")?;
        let jobs = queue.list(delayq_state::given(state)?, offset, limit)?;
        let items = jobs.into_iter().map(delayq_job_info::new).collect::<Result<_>>()?;
        list.give(delayq_job_info_list { items });
        Ok(())
    })
}

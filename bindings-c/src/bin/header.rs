//! Writes `include/delayq.h` from the sources of this crate; with `--check` only says whether it is up to date.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use cbindgen::{Builder, Config};
use delayq_core::{DEFAULT_SLICE, MAX_ERROR, MAX_POP, MAX_SLICE};

fn main() -> ExitCode {
    let only_check = std::env::args().skip(1).any(|arg| arg == "--check");
    match run(only_check) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn run(only_check: bool) -> Result<(), String> {
    let bindings = Path::new(env!("CARGO_MANIFEST_DIR"));
    let target = bindings.join("../include/delayq.h");
    let mut config = Config::from_file(bindings.join("cbindgen.toml"))?;
    config.header = Some(include_str!("introduction.h").trim_end().to_owned());
    config.after_includes = Some(macros());
    let header = Builder::new().with_crate(bindings).with_config(config).generate();
    let mut text = Vec::new();
    header.map_err(|e| e.to_string())?.write(&mut text);
    if fs::read(&target).is_ok_and(|old| old == text) {
        return Ok(());
    }
    if only_check {
        return Err("include/delayq.h is not what the sources say; run: make header".to_owned());
    }
    fs::write(&target, text).map_err(|e| format!("{}: {e}", target.display()))
}

/// Everything that is known elsewhere: the version and the limits of the core.
fn macros() -> String {
    let (major, minor, patch) =
        (env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR"), env!("CARGO_PKG_VERSION_PATCH"));
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "
/** The version of this header. */
#define DELAYQ_VERSION \"{version}\"
#define DELAYQ_VERSION_MAJOR {major}
#define DELAYQ_VERSION_MINOR {minor}
#define DELAYQ_VERSION_PATCH {patch}

/** The version of this header as one number, to be compared. */
#define DELAYQ_VERSION_NUMBER \\
    (DELAYQ_VERSION_MAJOR * 1000000 + DELAYQ_VERSION_MINOR * 1000 + DELAYQ_VERSION_PATCH)

/** The most jobs that one `delayq_queue_pop()` takes. */
#define DELAYQ_MAX_POP {MAX_POP}

/** The most jobs that one `delayq_queue_requeue()`, `_list()`, `_redrive()` or `_purge()` handles. */
#define DELAYQ_MAX_SLICE {MAX_SLICE}

/** How many jobs to let requeue, list or redrive handle at once if there is no reason for another number. */
#define DELAYQ_DEFAULT_SLICE {DEFAULT_SLICE}

/** How many bytes of an error's text `delayq_queue_retry()` keeps. */
#define DELAYQ_MAX_ERROR {MAX_ERROR}

/** Asks for the default where the documentation names one; any other negative number is refused. */
#define DELAYQ_DEFAULT INT64_MIN"
    )
}

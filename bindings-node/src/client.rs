//! The client, and how it is opened.

use std::sync::Arc;

use napi::bindgen_prelude::*;
use napi_derive::napi;

use crate::call;
use crate::convert;
use crate::queue::{Queue, QueueOptions};
use crate::threads::Pool;

/// Options of `openClient`; durations in ms.
#[napi(object, object_to_js = false)]
pub struct ClientOptions {
    /// First part of every key.
    pub prefix: Option<String>,
    /// ACL user.
    pub username: Option<String>,
    /// Password.
    pub password: Option<String>,
    /// Limit for one attempt to connect.
    pub connect_timeout: Option<f64>,
    /// Limit for the answer to one command.
    pub timeout: Option<f64>,
    /// How long a call goes on trying while Redis cannot take it.
    pub retry_for: Option<f64>,
}

/// The threads of a client, shared with its queues.
pub(crate) struct Pools {
    pub(crate) commands: Pool,
    pub(crate) waits: Pool,
}

/// The connections to one Redis and the threads that use them.
#[napi]
pub struct Client {
    core: delayq::Client,
    pools: Arc<Pools>,
}

/// Opens a client; off the event loop, since an embedded server may have to be started.
#[napi(catch_unwind, ts_return_type = "Promise<Client>")]
pub fn open_client(env: &Env, url: String, options: ClientOptions) -> Result<Object<'_>> {
    let pools = Arc::new(Pools { commands: Pool::commands(), waits: Pool::waits() });
    let mine = Arc::clone(&pools);
    call::later(env, &pools.waits, move || {
        let core = client_options(url, options)?.open()?;
        Ok(Client { core, pools: mine })
    })
}

#[napi]
impl Client {
    /// A handle on this topic.
    #[napi(catch_unwind)]
    pub fn queue(&self, env: &Env, topic: String, options: QueueOptions) -> Result<Queue> {
        call::now(env, || {
            let core = self.core.queue_with(&topic, options.convert().map_err(|e| e.with_topic(&topic))?)?;
            Ok(Queue::new(core, Arc::clone(&self.pools)))
        })
    }

    /// One round trip.
    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn ping<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let core = self.core.clone();
        call::later(env, &self.pools.commands, move || core.ping())
    }

    /// Closes; not behind commands that hang, since it ends the waits of others.
    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn close<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let core = self.core.clone();
        call::later(env, &self.pools.waits, move || {
            core.close();
            Ok(())
        })
    }

    /// Where the client connects to, without credentials.
    #[napi(catch_unwind)]
    pub fn address(&self, env: &Env) -> Result<String> {
        call::now(env, || Ok(self.core.address()))
    }
}

fn client_options(url: String, options: ClientOptions) -> delayq::Result<delayq::ClientOptions> {
    let mut core = delayq::ClientOptions::new(url).client_name("delayq-node");
    if let Some(prefix) = options.prefix {
        core = core.prefix(prefix);
    }
    if let Some(username) = options.username {
        core = core.username(username);
    }
    if let Some(password) = options.password {
        core = core.password(password);
    }
    if let Some(ms) = options.connect_timeout {
        core = core.connect_timeout(convert::duration("connectTimeout", ms)?);
    }
    if let Some(ms) = options.timeout {
        core = core.timeout(convert::duration("timeout", ms)?);
    }
    if let Some(ms) = options.retry_for {
        core = core.retry_for(convert::duration("retryFor", ms)?);
    }
    Ok(core)
}

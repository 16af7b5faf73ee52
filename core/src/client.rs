//! The connection to one Redis, shared by all its queue handles.

use std::fmt;
use std::sync::Arc;

use crate::error::Result;
use crate::keys::TopicKeys;
use crate::options::{ClientOptions, QueueOptions};
use crate::queue::Queue;
use crate::transport::Transport;

/// The connections to one Redis. Cheap to clone; a clone shares the connections.
///
/// May be used from any number of threads at once. After a fork the child opens connections of its own on
/// first use and never touches its parent's.
#[derive(Clone)]
pub struct Client {
    transport: Arc<Transport>,
}

impl Client {
    /// A client for this URL with default options; see [`ClientOptions::new`] for the URLs.
    ///
    /// # Errors
    /// As [`ClientOptions::open`].
    pub fn open(url: impl Into<String>) -> Result<Self> {
        ClientOptions::new(url).open()
    }

    pub(crate) fn open_with(options: ClientOptions) -> Result<Self> {
        options.validate()?;
        Ok(Client { transport: Arc::new(Transport::open(&options)?) })
    }

    /// A handle on this topic with default options.
    ///
    /// # Errors
    /// As [`queue_with`](Self::queue_with).
    pub fn queue(&self, topic: &str) -> Result<Queue> {
        self.queue_with(topic, QueueOptions::default())
    }

    /// A handle on this topic. Nothing is sent yet.
    ///
    /// # Errors
    /// `invalid_argument` for a topic that is empty, longer than 128 bytes, or contains braces or control
    /// characters, and for options that cannot be right; `closed` if the client is closed.
    pub fn queue_with(&self, topic: &str, options: QueueOptions) -> Result<Queue> {
        self.transport.check_open()?;
        options.validate().map_err(|e| e.with_topic(topic))?;
        let keys = TopicKeys::new(self.transport.prefix(), topic)?;
        Ok(Queue::new(Arc::clone(&self.transport), keys, options))
    }

    /// Asks Redis for a sign of life over one round trip; in a cluster any node that serves slots.
    ///
    /// # Errors
    /// `unavailable`, `timeout`, `server` (e.g. a wrong password) or `closed`.
    pub fn ping(&self) -> Result<()> {
        self.transport.ping()
    }

    /// Where the client connects to, without credentials; for a cluster the nodes that the URL names.
    pub fn address(&self) -> String {
        self.transport.address()
    }

    /// Closes all connections and wakes waiting calls, which fail with `closed` like every later call on this
    /// client, its clones and its queues. An embedded server stops with its last client. Closing twice is fine.
    pub fn close(&self) {
        self.transport.close();
    }
}

impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client").field("address", &self.address()).finish()
    }
}

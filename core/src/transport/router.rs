//! Which node a call goes to. One node: that one. Cluster: the owner of the slot of the call's first key, by a
//! map that the nodes themselves give out.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use redis::{Value, cmd};

use super::connect::Target;
use super::failure::{self, Failure, Redirect};
use super::pool::Node;
use super::signals::SignalsHeld;
use super::topology::{self, Topology};
use super::url::Endpoint;
use super::{lock, slot};
use crate::error::{Error, ErrorKind};

/// After a MOVED the whole map is learned anew, but not more often than this.
const MOVED_REFRESH: Duration = Duration::from_secs(1);

/// The nodes that one process knows, and who of them serves which slots.
#[derive(Default)]
pub(super) struct Router {
    nodes: Mutex<HashMap<String, Arc<Node>>>,
    topology: Mutex<Topology>,
    /// When the last question for the map was begun. Locked during it, so that only one thread asks.
    refreshed: Mutex<Option<Instant>>,
    turn: AtomicUsize,
}

impl Router {
    /// The node for this key; without a key any node.
    pub(super) fn route(
        &self,
        endpoint: &Endpoint,
        key: Option<&str>,
        closed: &AtomicBool,
    ) -> Result<Arc<Node>, Failure> {
        let seeds = match endpoint {
            Endpoint::One(target) => return Ok(self.node(target)),
            Endpoint::Cluster(seeds) => seeds,
        };
        if lock(&self.topology).addresses.is_empty() {
            self.refresh(seeds, None, closed)?;
        }
        let slot = match key {
            Some(key) => slot::of(key),
            None => self.some_slot(),
        };
        let owner = lock(&self.topology).owner(slot).map(str::to_owned);
        owner.and_then(|address| self.node_at(&address, seeds)).ok_or_else(|| {
            let message = format!("CLUSTERDOWN: no node of the cluster serves slot {slot}; is it complete?");
            Failure::NotRun(Error::new(ErrorKind::Server, message).with_retryable(true))
        })
    }

    /// The node that an answer has sent us to.
    pub(super) fn follow(&self, seeds: &[Target], to: &Redirect, closed: &AtomicBool) -> Option<Arc<Node>> {
        if !to.asking {
            let recently = lock(&self.refreshed).is_some_and(|at| at.elapsed() < MOVED_REFRESH);
            if !recently {
                let _ = self.refresh(seeds, None, closed); // the answer itself is enough for this call
            }
            lock(&self.topology).moved(to.slot, &to.address);
        }
        self.node_at(&to.address, seeds)
    }

    /// Learns the map anew, from whoever answers first; the owner of this key, which has just failed, is
    /// asked last. Threads that want the same at the same time share one question.
    pub(super) fn refresh(
        &self,
        seeds: &[Target],
        failed: Option<&str>,
        closed: &AtomicBool,
    ) -> Result<(), Failure> {
        let wanted = Instant::now();
        let mut refreshed = lock(&self.refreshed);
        if refreshed.is_some_and(|at| at >= wanted) {
            return Ok(());
        }
        *refreshed = Some(Instant::now());
        let _held = SignalsHeld::hold();
        let mut failure = None;
        for node in self.candidates(seeds, failed) {
            match ask(&node, closed) {
                Ok(topology) => {
                    self.learn(topology);
                    return Ok(());
                }
                Err(e) => {
                    node.drop_idle();
                    if !matches!(failure, Some(Failure::Final(_))) {
                        failure = Some(e);
                    }
                }
            }
        }
        Err(failure.unwrap_or_else(|| Failure::Final(Error::internal("a cluster without a seed"))))
    }

    pub(super) fn close(&self) {
        lock(&self.nodes).values().for_each(|node| node.drop_idle());
    }

    /// In a forked child; see [`Node::abandon`].
    pub(super) fn abandon(&self) {
        if let Ok(nodes) = self.nodes.try_lock() {
            nodes.values().for_each(|node| node.abandon());
        }
    }

    /// Known nodes and seeds, each once, beginning with another one each time.
    fn candidates(&self, seeds: &[Target], failed: Option<&str>) -> Vec<Arc<Node>> {
        let topology = lock(&self.topology);
        let known = topology.addresses.iter().filter_map(|address| self.node_at(address, seeds));
        let mut all: Vec<Arc<Node>> = known.collect();
        if !all.is_empty() {
            let turn = self.turn.fetch_add(1, Ordering::Relaxed) % all.len();
            all.rotate_left(turn);
        }
        for seed in seeds {
            if !all.iter().any(|node| node.address == seed.address()) {
                all.push(self.node(seed));
            }
        }
        let failed = failed.and_then(|key| topology.owner(slot::of(key)));
        all.sort_by_key(|node| Some(node.address.as_str()) == failed); // stable
        all
    }

    fn learn(&self, topology: Topology) {
        // Connections to nodes that are gone are closed when the calls on them have ended.
        lock(&self.nodes).retain(|address, _| topology.addresses.contains(address));
        *lock(&self.topology) = topology;
    }

    fn node(&self, target: &Target) -> Arc<Node> {
        let mut nodes = lock(&self.nodes);
        if let Some(node) = nodes.get(target.address()) {
            return Arc::clone(node);
        }
        let node = Node::new(target.clone());
        nodes.insert(target.address().to_owned(), Arc::clone(&node));
        node
    }

    /// With the login of the seeds, which is the same for every node.
    fn node_at(&self, address: &str, seeds: &[Target]) -> Option<Arc<Node>> {
        if let Some(node) = lock(&self.nodes).get(address) {
            return Some(Arc::clone(node));
        }
        let (host, port) = topology::split(address)?;
        Some(self.node(&seeds.first()?.at(host, port)))
    }

    fn some_slot(&self) -> u16 {
        // A prime step, so that the slots of all masters have their turn.
        (self.turn.fetch_add(1, Ordering::Relaxed).wrapping_mul(4099) % usize::from(slot::SLOTS)) as u16
    }
}

/// One node's view of the cluster.
fn ask(node: &Arc<Node>, closed: &AtomicBool) -> Result<Topology, Failure> {
    let mut visit = node.visit().map_err(|e| failure::connecting(e, &node.address))?;
    let answer = visit.exchange(&cmd("CLUSTER").arg("SLOTS").get_packed_command())?;
    visit.end(closed);
    if let Value::ServerError(e) = answer {
        return Err(match failure::answered(e.into(), &node.address) {
            Failure::Final(e) if e.message().contains("cluster support disabled") => {
                Failure::Final(e.with_detail("this Redis is no cluster; use a redis:// URL"))
            }
            failure => failure,
        });
    }
    Topology::parse(answer, &node.address).ok_or_else(|| {
        let message = format!("CLUSTERDOWN: {} knows of no node that serves slots", node.address);
        Failure::NotRun(Error::new(ErrorKind::Server, message).with_retryable(true))
    })
}

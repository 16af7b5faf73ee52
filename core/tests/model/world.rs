//! Runs a step on the real queue and on the model, and compares.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use delayq::{
    CancelOutcome, EnqueueOutcome, ErrorKind, Job, Mode, NewJob, PopOptions, Queue, QueueOptions,
    RetryPolicy, State,
};
use redis::{Connection, cmd};

use super::keyspace;
use super::op::{Enqueue, IDS, Op};
use super::state::{Body, Entry, Model, Moment};
use super::support::server;

const HOUR_MS: i64 = 3_600_000;
pub(super) const HOUR: Duration = Duration::from_millis(HOUR_MS as u64);
pub(super) const SHORT: Duration = Duration::from_millis(1);

/// Of handle 0, of handle 1, and the one that jobs may carry: the retries they allow.
pub(super) const RETRIES: [u32; 3] = [1, 0, 3];
const MAX_DELIVERIES: [u32; 2] = [2, 4];

pub struct World {
    topic: String,
    pub(super) handles: [Queue; 2],
    redis: Connection,
    pub(super) model: Model,
    pub(super) held: Vec<(Job, &'static str)>,
    /// Leases of 1 ms have ended by the next step.
    pub(super) now: Moment,
}

fn policy(retries: u32) -> RetryPolicy {
    RetryPolicy::fixed(HOUR).max_retries(retries)
}

impl World {
    pub fn new() -> Self {
        static CASE: AtomicUsize = AtomicUsize::new(0);
        let topic = format!("model{}", CASE.fetch_add(1, Ordering::Relaxed));
        let client = server().client();
        let handle = |i: usize| {
            let options =
                QueueOptions::new().max_deliveries(MAX_DELIVERIES[i]).retry_policy(policy(RETRIES[i]));
            client.queue_with(&topic, options).unwrap()
        };
        let redis = redis::Client::open(server().url()).unwrap().get_connection().unwrap();
        World {
            handles: [handle(0), handle(1)],
            topic,
            redis,
            model: Model::default(),
            held: Vec::new(),
            now: Moment::exactly(0),
        }
    }

    pub fn step(&mut self, op: &Op) {
        // Steps lie in different milliseconds, so that what one step makes due or expired is so in the next.
        let from = loop {
            let now = keyspace::now_ms(&mut self.redis);
            if now > self.now.to + 1 {
                break now;
            }
        };
        self.now = Moment { from, to: i64::MAX - 2 * HOUR_MS };
        self.run(op);
        self.now.to = keyspace::now_ms(&mut self.redis);
        self.model.narrow(self.now.to - self.now.from, HOUR_MS);
        let own_policy = format!("fixed {HOUR_MS} 1 {} 0 {}", delayq::time::MAX_MS, RETRIES[2]);
        keyspace::compare(&mut self.redis, &self.topic, &own_policy, &mut self.model);
        let stats = self.handles[0].stats().unwrap();
        for (name, n) in &stats.counters {
            assert_eq!(*n, self.model.counters.get(name).copied().unwrap_or(0), "counter {name}");
        }
        let of = |state| self.model.ids(state).len() as u64;
        assert_eq!(
            (stats.backlog, stats.processing, stats.dead, stats.orphans, stats.paused),
            (
                of(State::Scheduled),
                of(State::Processing),
                of(State::Dead),
                of(State::Orphan),
                self.model.paused
            )
        );
        assert_eq!(stats.lateness.count(), stats.counter("delivered"));
        assert_eq!(stats.processing_time.count(), stats.counter("acked"));
    }

    fn run(&mut self, op: &Op) {
        match op {
            Op::Enqueue { handle, jobs } => self.enqueue(*handle, jobs),
            Op::Pop { handle, max, short } => self.pop(*handle, *max, *short),
            Op::Ack { held } => self.ack(held),
            Op::Retry { handle, held, at_once } => self.retry(*handle, held, *at_once),
            Op::Release { held, later } => self.release(held, *later),
            Op::Extend { held, short } => self.extend(held, *short),
            Op::Requeue { handle, limit } => self.requeue(*handle, *limit),
            Op::Cancel { id } => self.cancel(IDS[*id]),
            Op::Get { id } => self.get(IDS[*id]),
            Op::List { state } => self.list(*state),
            Op::Redrive { limit, ids, later } => self.redrive(*limit, ids, *later),
            Op::Purge { state, limit } => self.purge(*state, *limit),
            Op::Repair => self.repair(),
            Op::Pause => {
                self.handles[0].pause().unwrap();
                self.model.paused = true;
            }
            Op::Resume => {
                self.handles[1].resume().unwrap();
                self.model.paused = false;
            }
            Op::LoseBody { id } => {
                self.raw(cmd("DEL").arg(keyspace::body(&self.topic, IDS[*id])));
                self.model.entry(IDS[*id]).body = None;
            }
            Op::LoseIndex { id } => {
                for state in [State::Scheduled, State::Processing, State::Dead, State::Orphan] {
                    self.raw(cmd("ZREM").arg(keyspace::index(&self.topic, state)).arg(IDS[*id]));
                }
                self.model.entry(IDS[*id]).lose_index();
            }
        }
    }

    fn raw(&mut self, command: &redis::Cmd) {
        command.exec(&mut self.redis).unwrap();
    }

    pub(super) fn after(&self, later: bool) -> Moment {
        self.now.plus(if later { HOUR_MS } else { 0 })
    }

    fn enqueue(&mut self, handle: usize, jobs: &[Enqueue]) {
        let new: Vec<_> = jobs
            .iter()
            .map(|job| {
                let new = NewJob::new(job.payload.to_string())
                    .id(IDS[job.id])
                    .mode(job.mode)
                    .ignore_done(job.ignore_done);
                let new = if job.own_policy { new.retry_policy(policy(RETRIES[2])) } else { new };
                if job.later { new.delay(HOUR) } else { new }
            })
            .collect();
        let results = self.handles[handle].enqueue_many(new).unwrap();
        for (job, result) in jobs.iter().zip(results) {
            let at = self.after(job.later);
            let entry = self.model.entry(IDS[job.id]);
            let known = entry.done.is_some() && !job.ignore_done;
            let expected = match job.mode {
                _ if known => EnqueueOutcome::Done,
                Mode::Reschedule if entry.is(State::Scheduled) && entry.body.is_some() => {
                    EnqueueOutcome::Moved
                }
                Mode::Reschedule => EnqueueOutcome::Missing,
                Mode::Keep if entry.is_live() => EnqueueOutcome::Kept,
                _ if entry.is_live() => EnqueueOutcome::Replaced,
                _ => EnqueueOutcome::Created,
            };
            assert_eq!(result.outcome, expected, "{job:?}");
            let counter = match expected {
                EnqueueOutcome::Created | EnqueueOutcome::Replaced => {
                    *entry = Entry {
                        place: Some((State::Scheduled, at)),
                        body: Some(Body::new(job.payload, job.own_policy)),
                        ..Entry::default()
                    };
                    Some(if expected == EnqueueOutcome::Created { "enqueued" } else { "replaced" })
                }
                EnqueueOutcome::Moved => {
                    entry.place = Some((State::Scheduled, at));
                    Some("moved")
                }
                _ => None,
            };
            match expected {
                EnqueueOutcome::Done | EnqueueOutcome::Missing => assert_eq!(result.due_at_ms, None),
                EnqueueOutcome::Kept => assert!(result.due_at_ms.is_some()),
                _ => assert!(at.holds(result.due_at_ms.unwrap())),
            }
            counter.into_iter().for_each(|counter| self.model.count(counter, 1));
        }
    }

    fn pop(&mut self, handle: usize, max: usize, short: bool) {
        let lease = if short { SHORT } else { HOUR };
        let jobs = self.handles[handle].pop(PopOptions::new(max).lease(lease)).unwrap();
        let mut expected = Vec::new();
        if !self.model.paused {
            let mut due = self.model.ids(State::Scheduled);
            due.retain(|id| self.model.entries[id].score() <= self.now.from);
            let mut due = due.into_iter();
            // Orphans use up places of a batch, but a batch of nothing but orphans is followed by the next.
            while expected.is_empty() && due.len() > 0 {
                for id in due.by_ref().take(max) {
                    if self.model.entries[id].body.is_some() {
                        expected.push(id);
                    } else {
                        self.model.entry(id).orphaned(self.now);
                        self.model.count("orphaned", 1);
                    }
                }
            }
        }
        assert_eq!(jobs.iter().map(Job::id).collect::<Vec<_>>(), expected);
        for (job, id) in jobs.into_iter().zip(expected) {
            let deadline = self.now.plus(lease.as_millis() as i64);
            let entry = self.model.entry(id);
            let body = entry.body.as_mut().unwrap();
            body.deliveries = Some(body.deliveries.unwrap_or(0) + 1);
            body.due_at = Some(entry.place.unwrap().1.from);
            body.lease = Some(job.receipt().to_owned());
            assert_eq!(job.payload(), body.payload.to_string().as_bytes());
            assert_eq!(Some(job.deliveries()), body.deliveries);
            assert_eq!(job.retry_count(), body.retry_count.unwrap_or(0));
            assert_eq!(Some(job.due_at_ms()), body.due_at);
            assert!(deadline.holds(job.lease_until_ms()));
            entry.place = Some((State::Processing, deadline));
            assert!(
                self.held.iter().all(|(other, _)| other.receipt() != job.receipt()),
                "a receipt came twice"
            );
            self.model.count("delivered", 1);
            self.held.push((job, id));
        }
    }

    fn requeue(&mut self, handle: usize, limit: usize) {
        let swept = self.handles[handle].requeue(limit).unwrap();
        let mut expired = self.model.ids(State::Processing);
        expired.retain(|id| self.model.entries[id].score() <= self.now.from);
        expired.truncate(limit);
        let (mut requeued, mut dead, mut orphaned) = (0, 0, 0);
        for id in &expired {
            let now = self.now;
            let entry = self.model.entry(id);
            match entry.body.take().map(Body::unleased) {
                None => {
                    entry.orphaned(now);
                    orphaned += 1;
                }
                Some(mut body) if body.deliveries.unwrap_or(0) >= MAX_DELIVERIES[handle] => {
                    body.last_error =
                        Some(format!("delivered {} times without an ack", body.deliveries.unwrap()));
                    entry.body = Some(body);
                    entry.place = Some((State::Dead, now));
                    dead += 1;
                }
                Some(body) => {
                    entry.body = Some(body);
                    entry.place = Some((State::Scheduled, now));
                    requeued += 1;
                }
            }
        }
        assert_eq!((swept.requeued, swept.dead, swept.orphaned), (requeued, dead, orphaned));
        self.model.count("expired", expired.len());
        self.model.count("dead", dead as usize);
        self.model.count("orphaned", orphaned as usize);
    }

    fn cancel(&mut self, id: &'static str) {
        let outcome = self.handles[1].cancel(id).unwrap();
        let entry = self.model.entry(id);
        let expected = match (entry.state(), &entry.body) {
            (None, None) if entry.done.is_some() => CancelOutcome::Done,
            (None, None) => CancelOutcome::Missing,
            (Some(State::Scheduled), Some(_)) => CancelOutcome::Scheduled,
            (Some(State::Processing), Some(_)) => CancelOutcome::Processing,
            (Some(State::Dead), Some(_)) => CancelOutcome::Dead,
            _ => CancelOutcome::Orphan,
        };
        (entry.place, entry.body) = (None, None);
        assert_eq!(outcome, expected);
        let live =
            [CancelOutcome::Scheduled, CancelOutcome::Processing, CancelOutcome::Dead].contains(&expected);
        self.model.count("cancelled", usize::from(live));
    }

    fn get(&mut self, id: &'static str) {
        let shown = self.handles[0].get(id);
        let entry = self.model.entry(id);
        let state = entry
            .state()
            .or(entry.body.as_ref().map(|_| State::Orphan))
            .or(entry.done.as_ref().map(|_| State::Done));
        let Some(state) = state else {
            assert_eq!(shown.unwrap_err().kind(), ErrorKind::NotFound);
            return;
        };
        let shown = shown.unwrap();
        assert_eq!(shown.state, state);
        assert_eq!(shown.payload, entry.body.as_ref().map(|body| body.payload.to_string().into_bytes()));
        assert_eq!(shown.last_error, entry.body.as_ref().and_then(|body| body.last_error.clone()));
        let score = entry.place.map(|(_, moment)| moment.from);
        match state {
            State::Scheduled => assert_eq!(shown.due_at_ms, score),
            State::Processing => assert_eq!(shown.lease_until_ms, score),
            State::Dead => assert_eq!(shown.died_at_ms, score),
            State::Orphan => assert_eq!(shown.orphaned_at_ms, score),
            _ => {}
        }
    }

    fn list(&mut self, state: State) {
        let shown = self.handles[1].list(state, 0, 100).unwrap();
        assert_eq!(shown.iter().map(|job| job.id.as_str()).collect::<Vec<_>>(), self.model.ids(state));
    }

    fn redrive(&mut self, limit: usize, ids: &[usize], later: bool) {
        let delay = if later { HOUR } else { Duration::ZERO };
        let at = self.after(later);
        let mut wanted = Vec::new();
        let mut not_dead = 0;
        let result = if limit > 0 {
            wanted = self.model.ids(State::Dead);
            wanted.truncate(limit);
            self.handles[0].redrive(limit, delay).unwrap()
        } else {
            for id in ids.iter().map(|i| IDS[*i]) {
                if self.model.entry(id).is(State::Dead) && !wanted.contains(&id) {
                    wanted.push(id);
                } else {
                    not_dead += 1;
                }
            }
            let ids: Vec<_> = ids.iter().map(|i| IDS[*i]).collect();
            self.handles[0].redrive_ids(&ids, delay).unwrap()
        };
        let (mut redriven, mut orphaned) = (0, 0);
        for id in wanted {
            let now = self.now;
            let entry = self.model.entry(id);
            match entry.body.take() {
                Some(body) => {
                    let due_at = body.due_at;
                    entry.body = Some(Body { due_at, ..Body::new(body.payload, body.own_policy) });
                    entry.place = Some((State::Scheduled, at));
                    redriven += 1;
                }
                None => {
                    entry.orphaned(now);
                    orphaned += 1;
                }
            }
        }
        assert_eq!((result.redriven, result.orphaned, result.not_dead), (redriven, orphaned, not_dead));
        self.model.count("redriven", redriven as usize);
        self.model.count("orphaned", orphaned as usize);
    }

    fn purge(&mut self, state: State, limit: usize) {
        let result = self.handles[0].purge(state, limit).unwrap();
        let mut ids = self.model.ids(state);
        let total = ids.len();
        ids.truncate(limit);
        for id in &ids {
            let entry = self.model.entry(id);
            (entry.place, entry.body) = (None, None);
        }
        assert_eq!((result.purged, result.remaining), (ids.len() as u64, (total - ids.len()) as u64));
        self.model.count("purged", ids.len());
    }

    fn repair(&mut self) {
        let result = self.handles[1].repair(1000).unwrap();
        let (mut rescheduled, mut orphaned, mut removed) = (0, 0, 0);
        let now = self.now;
        for entry in self.model.entries.values_mut() {
            match (entry.state(), entry.body.take()) {
                (Some(state), None) => {
                    if state != State::Orphan {
                        entry.orphaned(now);
                        orphaned += 1;
                    }
                }
                (None | Some(State::Orphan), Some(_)) if entry.done.is_some() => {
                    entry.place = None;
                    removed += 1;
                }
                (None | Some(State::Orphan), Some(body)) => {
                    let at = body.due_at.map(Moment::exactly).or(entry.life).unwrap_or(now);
                    entry.body = Some(body.unleased());
                    entry.place = Some((State::Scheduled, at));
                    rescheduled += 1;
                }
                (_, body) => entry.body = body,
            }
        }
        assert_eq!((result.rescheduled, result.orphaned, result.removed), (rescheduled, orphaned, removed));
        self.model.count("repaired", rescheduled as usize);
        self.model.count("orphaned", orphaned as usize);
    }
}

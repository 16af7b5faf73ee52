/**
 * delayq: a delayed task queue on Redis sorted sets. Enqueue a job now, have it run when it is due, by exactly one
 * consumer at a time, from any language.
 *
 * Durations are milliseconds. Times read back are a `Date` and, beside it, the exact number of milliseconds since the
 * epoch by the Redis server's clock. Every call that needs Redis returns a promise and runs on a thread of its own,
 * never on the event loop nor in libuv's thread pool. Calls that are not awaited may take effect in any order.
 *
 * Every failure is a {@link DelayqError}: what returns a promise rejects with it, the rest (`client.queue`, `json`, the
 * makers of retry policies) throws it. A `pop` that was aborted rejects with its signal's reason instead.
 */

import { EventEmitter } from 'node:events'

/** What went wrong, as one word that programs may match on; the same words in every language. */
export type ErrorKind =
  | 'invalid_argument'
  | 'not_found'
  | 'lease_lost'
  | 'unavailable'
  | 'timeout'
  | 'server'
  | 'incompatible'
  | 'closed'
  | 'internal'

/** A verb's name, as it stands in errors; the same in every language. */
export type Verb =
  | 'enqueue'
  | 'enqueue_many'
  | 'pop'
  | 'ack'
  | 'ack_many'
  | 'retry'
  | 'retry_many'
  | 'release'
  | 'release_many'
  | 'extend'
  | 'extend_many'
  | 'requeue'
  | 'cancel'
  | 'get'
  | 'list'
  | 'redrive'
  | 'purge'
  | 'repair'
  | 'stats'
  | 'pause'
  | 'resume'
  | 'limit'

/** The error of every delayq call. It never contains a password. */
export class DelayqError extends Error {
  private constructor()
  readonly name: 'DelayqError'
  /** `DELAYQ_` and the kind in capitals, e.g. `DELAYQ_LEASE_LOST`; Node's habit. */
  readonly code: `DELAYQ_${Uppercase<ErrorKind>}`
  /** What went wrong, for programs. `message` is for people: what went wrong and what to do. */
  readonly kind: ErrorKind
  /** The verb that failed, if it was one. */
  readonly verb: Verb | null
  /** The topic, if the call had one. */
  readonly topic: string | null
  /** The job's id, if the call was about one job. */
  readonly id: string | null
  /** Whether the same call may succeed later without a change. After `timeout` it may have taken effect already. */
  readonly retryable: boolean
}

/** One row of {@link ERROR_KINDS}. */
export interface ErrorKindRow {
  /** The stable number, the same in every language. */
  readonly number: number
  readonly kind: ErrorKind
  readonly code: DelayqError['code']
  /** Whether errors of this kind are retryable, unless the error itself says otherwise. */
  readonly retryable: boolean
  /** One line on the meaning. */
  readonly summary: string
}

/** Every error kind there is. */
export const ERROR_KINDS: readonly ErrorKindRow[]

/** Every verb there is. Each is a method of {@link Queue}; `enqueue_many` is `enqueueMany`. */
export const VERBS: readonly Verb[]

/** The version of the package. */
export const version: string

/** How to reach Redis. Options that are unknown are refused, here and everywhere. */
export interface ClientOptions {
  /** First part of every key. Default `delay`. */
  prefix?: string | undefined
  /** ACL user; an alternative to the URL that needs no percent-encoding. */
  username?: string | undefined
  /** Password; an alternative to the URL that needs no percent-encoding. */
  password?: string | undefined
  /** Limit for one attempt to connect, log in included, in ms. Default 2000. */
  connectTimeout?: number | undefined
  /**
   * Limit for the answer to one command, in ms; past it the call fails with `timeout`, its outcome unknown.
   * Default 5000.
   */
  timeout?: number | undefined
  /**
   * How long a call goes on trying while Redis cannot take it (down, loading, failing over) before it fails with
   * `unavailable`, in ms. Only attempts that had no effect are repeated. Default 5000; 0 tries once.
   */
  retryFor?: number | undefined
}

/** The connections to one Redis, shared by its queue handles. An idle client does not keep the process alive. */
export class Client {
  private constructor()

  /**
   * Makes a client. No connection is opened before the first call, except that `embedded:` starts its server.
   *
   * @param url `redis://[user:password@]host:port/db`, `rediss://` (TLS), `unix:///path?db=0`,
   *   `redis-cluster://[user:password@]host:port,host:port` or `rediss-cluster://` for a cluster by some of its nodes, or
   *   `embedded:<dir>` for a private server in that folder
   * @throws {DelayqError} `invalid_argument`; `unavailable` if an embedded server cannot be started
   */
  static open(url: string, options?: ClientOptions): Promise<Client>

  /** Where the client connects to, without credentials. */
  readonly address: string

  /**
   * A handle on this topic. Nothing is sent yet, so this returns at once. Handles are cheap, but not free: keep them.
   *
   * @param topic 1 to 128 bytes of UTF-8 without braces and control characters
   * @throws {DelayqError} `invalid_argument`, `closed`
   */
  queue(topic: string, options?: QueueOptions): Queue

  /**
   * Asks Redis for a sign of life over one round trip.
   *
   * @throws {DelayqError} `unavailable`, `timeout`, `server` (e.g. a wrong password), `closed`
   */
  ping(): Promise<void>

  /**
   * Closes all connections and wakes waiting calls, which fail with `closed` like every later call on this client and
   * its queues. An embedded server stops with its last client. Closing twice is fine, not closing is too.
   */
  close(): Promise<void>
}

/** Options of a queue handle. Handles of one topic may differ. */
export interface QueueOptions {
  /** How long a popped job belongs to its consumer, in ms. Default 30,000. */
  lease?: number | undefined
  /** How long the done marker of an acknowledged job is kept, in ms. Default 24 h; 0 writes none. */
  doneTtl?: number | undefined
  /**
   * How long a body outlives its job's due time or lease, in ms. Default 7 days, refreshed at every move; 0 keeps
   * bodies without limit.
   */
  jobTtl?: number | undefined
  /** Largest payload in bytes. Default 256 KiB; 10 KiB or less is advised. */
  maxPayload?: number | undefined
  /** How often a job may be delivered before `requeue` moves it to the dead letter set. Default 20. */
  maxDeliveries?: number | undefined
  /** How failed jobs are retried, unless a job says otherwise. Default `RetryPolicy.exponential()`. */
  retryPolicy?: RetryPolicy | undefined
}

/** What every retry policy may say. */
export interface RetryOptions {
  /** No wait is longer than this, in ms. Default: no limit; `exponential`: an hour. */
  cap?: number | undefined
  /** Spreads each wait evenly over ± this share of itself, 0 to 1. Default 0. */
  jitter?: number | undefined
  /** How many retries a job gets. Default 5; 0 means that its first failure is its last. */
  maxRetries?: number | undefined
}

/** See {@link RetryPolicy.exponential}. */
export interface ExponentialOptions extends RetryOptions {
  /** In ms. Default 60,000. */
  base?: number | undefined
  /** 1 to 1,000,000. Default 2. */
  factor?: number | undefined
}

/** See {@link RetryPolicy.linear}. */
export interface LinearOptions extends RetryOptions {
  /** In ms. */
  step: number
}

/** See {@link RetryPolicy.fixed}. */
export interface FixedOptions extends RetryOptions {
  /** In ms. */
  delay: number
}

/**
 * How failed jobs are retried: how long each retry waits from its failure, and after how many failures a job is dead.
 * A plain object; write it down or let `RetryPolicy` make a frozen one. Its values are checked where it is used.
 */
export type RetryPolicy =
  | ({ kind: 'exponential' } & ExponentialOptions)
  | ({ kind: 'linear' } & LinearOptions)
  | ({ kind: 'fixed' } & FixedOptions)

/** Makes retry policies. */
export const RetryPolicy: {
  /**
   * Waits min(base · factorⁿ, cap) before the n-th retry. By default 2, 4, 8, 16 and 32 minutes; the sixth failure is
   * the end.
   *
   * @throws {DelayqError} `invalid_argument` for an option that is unknown or of the wrong type
   */
  exponential(options?: ExponentialOptions): Readonly<{ kind: 'exponential' } & ExponentialOptions>
  /**
   * Waits min(n · step, cap) before the n-th retry.
   *
   * @throws {DelayqError} as `exponential`
   */
  linear(options: LinearOptions): Readonly<{ kind: 'linear' } & LinearOptions>
  /**
   * Waits the same before every retry.
   *
   * @throws {DelayqError} as `exponential`
   */
  fixed(options: FixedOptions): Readonly<{ kind: 'fixed' } & FixedOptions>
}

/** A value that can be written as JSON. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | { toJSON(): unknown }
  | readonly (JsonValue | undefined)[]
  | { readonly [key: string]: JsonValue | undefined }

/**
 * What a job carries: a `Uint8Array` (a `Buffer` is one) as its bytes, a string as UTF-8, anything else as JSON. Bytes
 * are copied before the call returns. Refused: what has no JSON form (`undefined`, functions, `BigInt`, cycles), a
 * string with a lone surrogate, and other binary types than `Uint8Array`.
 */
export type Payload = Uint8Array | JsonValue

/** What to do if the id is known already; see {@link EnqueueOptions.mode}. */
export type Mode = 'replace' | 'keep' | 'reschedule'

/** How to enqueue a job. */
export interface EnqueueOptions {
  /** 1 to 512 bytes of UTF-8 without NUL. One id is one job. Default: a generated, time-ordered, unique id. */
  id?: string | undefined
  /** Due after this many ms, counted by the Redis server's clock. Default 0. Not together with `at`. */
  delay?: number | undefined
  /** Due at this time; the past means now. Not together with `delay`. */
  at?: Date | undefined
  /**
   * What to do if the id is known: `replace` (default): the last one wins, in any live state; a running lease is
   * revoked. `keep`: the first one wins, whatever its state. `reschedule`: only move the due time of a scheduled job.
   */
  mode?: Mode | undefined
  /** Enqueue even if a job of this id was done not long ago; its done marker is removed. Default false. */
  ignoreDone?: boolean | undefined
  /** How this job is retried, instead of by the policy of the handle that reports its failure. */
  retryPolicy?: RetryPolicy | undefined
}

/** A job for {@link Queue.enqueueMany}. */
export interface NewJob extends EnqueueOptions {
  /** See {@link Payload}. */
  payload: Payload
}

/**
 * What `enqueue` did. `created`: a new job was stored. `replaced`: by `replace`. `kept`: the job of this id stays as it
 * is. `moved`: by `reschedule`. `done`: a job of this id was done not long ago, nothing was stored. `missing`: there is
 * no scheduled job to move.
 */
export type EnqueueOutcome = 'created' | 'replaced' | 'kept' | 'moved' | 'done' | 'missing'

/** What became of an enqueued job. */
export interface Enqueued {
  /** The job's id, given or generated. */
  id: string
  /** When the job of this id is due; `null` if there is none (`done`, `missing`). */
  dueAt: Date | null
  /** `dueAt` in ms since the epoch. */
  dueAtMs: number | null
  outcome: EnqueueOutcome
}

/** How to pop. */
export interface PopOptions {
  /** The lease in ms, instead of the handle's. */
  lease?: number | undefined
  /** Wait up to this many ms until something is due. Default 0. */
  wait?: number | undefined
  /**
   * Ends the wait. `pop` then rejects with `signal.reason`, unless Redis had handed out jobs already: these are
   * returned, so that none is lost.
   */
  signal?: AbortSignal | undefined
}

/** Proof of the right to finish one job. A {@link Job} is one; it may also be sent to another process. */
export interface Lease {
  readonly topic: string
  readonly id: string
  readonly receipt: string
}

/** A job that this caller holds until its lease ends. */
export class Job implements Lease {
  private constructor()
  /** The topic it was popped from. */
  readonly topic: string
  readonly id: string
  /**
   * Proof of this lease; it never repeats. Its part before the first `-` is a number that grows with every lease of the
   * topic, fit as a fencing token.
   */
  readonly receipt: string
  /** The payload, byte for byte; a `Buffer`. */
  readonly payload: Buffer
  /** How often it was popped, this time included. */
  readonly deliveries: number
  /** How many failures were reported so far. */
  readonly retryCount: number
  /** When it was enqueued. */
  readonly createdAt: Date
  readonly createdAtMs: number
  /** When it was due. */
  readonly dueAt: Date
  readonly dueAtMs: number
  /** When the lease ends. */
  readonly leaseUntil: Date
  readonly leaseUntilMs: number
  /**
   * The payload read as JSON.
   *
   * @throws {DelayqError} `invalid_argument` if it is not JSON
   */
  json<T = unknown>(): T
}

/**
 * What became of one job of many that is not held under its receipt any more; nothing changed for it. A call for a
 * single job rejects with an error of this kind instead.
 */
export type LeaseLost = 'lease_lost'

/** `acked`: the job is done and gone. `already`: it had been acknowledged under this receipt before. */
export type AckOutcome = 'acked' | 'already'

/** How to report a failed job. */
export interface RetryJobOptions {
  /**
   * What went wrong, kept as the job's `lastError`: a text, an `Error` by its message, anything else by `String()`.
   * Its first 4096 bytes are kept. Default: an empty text.
   */
  error?: unknown
  /** Run again after this many ms instead of the policy's wait; the failure counts all the same. */
  delay?: number | undefined
}

/** A failed job for {@link Queue.retryMany}. */
export interface Failure extends RetryJobOptions {
  job: Lease
}

/**
 * `scheduled`: the job will run again. `dead`: that was one failure too many, it is in the dead letter set. `done`: it
 * has a done marker, so it succeeded before and will not run again.
 */
export type RetryOutcome = 'scheduled' | 'dead' | 'done'

/** What became of a failed job. */
export interface Retried<Outcome extends RetryOutcome | LeaseLost = RetryOutcome> {
  outcome: Outcome
  /** When the job will run again; `null` if it will not, or not for this caller. */
  dueAt: Date | null
  /** `dueAt` in ms since the epoch. */
  dueAtMs: number | null
  /** Failures reported, this one included. */
  retryCount: number
}

/** How to hand a job back. */
export interface ReleaseOptions {
  /** Due again after this many ms. Default 0. */
  delay?: number | undefined
}

/**
 * `released`: the job is scheduled again, without a failure. `done`: it had been acknowledged under this receipt;
 * nothing changed.
 */
export type ReleaseOutcome = 'released' | 'done'

/** What became of a job that was handed back. */
export interface Released<Outcome extends ReleaseOutcome | LeaseLost = ReleaseOutcome> {
  outcome: Outcome
  /** When the job is due again; `null` if it was not released. */
  dueAt: Date | null
  /** `dueAt` in ms since the epoch. */
  dueAtMs: number | null
}

/** How to extend a lease. */
export interface ExtendOptions {
  /** The new lease in ms from now, instead of the handle's. */
  lease?: number | undefined
}

/** `extended`: the lease ends at a new time. */
export type ExtendOutcome = 'extended'

/** A lease that ends at a new time. The receipt stays as it is, and so do the fields of the job that was given. */
export interface Extended {
  outcome: ExtendOutcome
  /** When the lease ends. */
  leaseUntil: Date
  /** `leaseUntil` in ms since the epoch. */
  leaseUntilMs: number
}

/** One of many leases that could not be extended. */
export interface NotExtended {
  outcome: LeaseLost
  leaseUntil: null
  leaseUntilMs: null
}

/** What a sweep for expired leases did. */
export interface Requeued {
  /** Jobs that are due again. */
  requeued: number
  /** Jobs delivered too often, now in the dead letter set. */
  dead: number
  /** Ids whose body was missing, now in the orphan set. */
  orphaned: number
}

/**
 * Where `cancel` found the job that it removed: `scheduled`, `processing` (the consumer's later `ack` is refused),
 * `dead`, or `orphan` (only one half of it was there). `done`: it had been acknowledged already. `missing`: nothing is
 * known under this id.
 */
export type CancelOutcome = 'scheduled' | 'processing' | 'dead' | 'orphan' | 'done' | 'missing'

/**
 * Where a job is. `scheduled`: waiting for its due time. `processing`: leased. `dead`: in the dead letter set. `orphan`:
 * only one half of it is there, an id whose body was lost or a body that no index holds. `done`: acknowledged; only its
 * marker is left.
 */
export type State = 'scheduled' | 'processing' | 'dead' | 'orphan' | 'done'

/** The states whose jobs can be listed and purged. */
export type IndexedState = Exclude<State, 'done'>

/** Everything that Redis knows about a job. What does not apply is `null`. */
export class JobInfo {
  private constructor()
  readonly topic: string
  readonly id: string
  readonly state: State
  /** The payload, byte for byte; `null` if the body is missing or the job is done. */
  readonly payload: Buffer | null
  /** When it is due, or was due when it was last popped. */
  readonly dueAt: Date | null
  readonly dueAtMs: number | null
  /** When it was enqueued. */
  readonly createdAt: Date | null
  readonly createdAtMs: number | null
  /** When it was popped (`processing`). */
  readonly pickedAt: Date | null
  readonly pickedAtMs: number | null
  /** When its lease ends (`processing`). */
  readonly leaseUntil: Date | null
  readonly leaseUntilMs: number | null
  /** When it died (`dead`). */
  readonly diedAt: Date | null
  readonly diedAtMs: number | null
  /** When its body was found missing (`orphan`). */
  readonly orphanedAt: Date | null
  readonly orphanedAtMs: number | null
  /** How many failures were reported. */
  readonly retryCount: number
  /** How often it was popped. */
  readonly deliveries: number
  /** What went wrong last. */
  readonly lastError: string | null
  /**
   * The payload read as JSON.
   *
   * @throws {DelayqError} `invalid_argument` if it is not JSON, or if there is none
   */
  json<T = unknown>(): T
}

/** Which page to list. */
export interface ListOptions {
  /** How many jobs to leave out. Default 0. */
  offset?: number | undefined
  /** At most this many jobs, 1 to 1000. Default 100. */
  limit?: number | undefined
}

/** Which dead jobs to schedule again, and when. */
export interface RedriveOptions {
  /** These jobs. Not together with `limit`. */
  ids?: readonly string[] | undefined
  /** Up to this many jobs, 1 to 1000, the longest dead first. Default 100. Not together with `ids`. */
  limit?: number | undefined
  /** Due after this many ms. Default 0. */
  delay?: number | undefined
}

/** What `redrive` did. */
export interface Redriven {
  /** Dead jobs that are scheduled again. */
  redriven: number
  /** Dead ids whose body was missing, now in the orphan set. */
  orphaned: number
  /** Given ids that were not dead; nothing changed for them. */
  notDead: number
}

/** How much to purge. */
export interface PurgeOptions {
  /** At most this many jobs, 1 to 1000. Default 1000. */
  limit?: number | undefined
}

/** What `purge` did. */
export interface Purged {
  /** Jobs that were deleted. */
  purged: number
  /** Jobs left in that state; call again until it is 0. */
  remaining: number
}

/** How much to repair. */
export interface RepairOptions {
  /** End once about this many things were put right. Default 1000. */
  limit?: number | undefined
}

/** What `repair` did. */
export interface Repaired {
  /** Ids and bodies looked at. */
  checked: number
  /** Bodies that no index held, now scheduled. */
  rescheduled: number
  /** Ids whose body is missing, now in the orphan set. */
  orphaned: number
  /** Bodies that no index held and whose job was done, now deleted. */
  removed: number
}

/** How to count. */
export interface StatsOptions {
  /** A job is overdue this many ms after its due time. Default 30,000. */
  overdue?: number | undefined
}

/** The name of a lifetime counter. */
export type Counter =
  | 'enqueued'
  | 'replaced'
  | 'moved'
  | 'delivered'
  | 'acked'
  | 'retried'
  | 'released'
  | 'expired'
  | 'dead'
  | 'cancelled'
  | 'redriven'
  | 'purged'
  | 'orphaned'
  | 'repaired'

/**
 * How long something took, over the life of the topic and all consumers in all languages. Durations are exact below
 * 16 ms and fall into eight steps to each doubling above, so a quantile is at most an eighth too high.
 */
export interface Histogram {
  /** How many durations there are. */
  readonly count: number
  /** The median; `null` while there are no durations, like the others. */
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly p99Ms: number | null
  /** Every step that occurs, ascending: its upper edge in ms and how many durations fell into it. For metrics. */
  readonly buckets: readonly { readonly upToMs: number; readonly count: number }[]
  /**
   * The duration in ms that this share (0 to 1) of all durations does not exceed; `null` while there are none.
   *
   * @throws {DelayqError} `invalid_argument` if the share is no number
   */
  quantile(share: number): number | null
}

/** The numbers of a topic at one moment. */
export interface Stats {
  /** Scheduled jobs. */
  backlog: number
  /** Scheduled jobs that are due. */
  due: number
  /** Scheduled jobs that have been due for longer than the threshold. */
  overdue: number
  /** For how long the oldest due job has been due, in ms; 0 if none is. */
  oldestDueMs: number
  /** Leased jobs, the expired ones included. */
  processing: number
  /** Leases that have ended and were not swept yet. */
  expired: number
  /** Dead jobs. */
  dead: number
  /** Ids whose body was missing. */
  orphans: number
  /** Whether consumers are given nothing (`pause`). */
  paused: boolean
  /** Jobs per second that consumers are given at most; `null` without a limit. */
  rate: number | null
  /** Jobs that may be given at once after a quiet time; `null` without a limit. */
  burst: number | null
  /** What happened over the life of the topic. */
  counters: Record<Counter, number>
  /** From the due time to the pop. */
  lateness: Histogram
  /** From the pop to the ack. */
  processingTime: Histogram
}

/** How to limit. */
export interface LimitOptions {
  /** Jobs that may be given at once after a quiet time, 1 or more. Default: the jobs of one second. */
  burst?: number | undefined
}

/** A handle on one topic. Its verbs may be called at any time, also while others are running. */
export class Queue {
  private constructor()

  /** The topic. */
  readonly topic: string

  /**
   * Stores a job, to be due at its time.
   *
   * @throws {DelayqError} `invalid_argument`; `timeout` if the outcome is unknown; `unavailable`, `server`,
   *   `incompatible`, `closed`
   */
  enqueue(payload: Payload, options?: EnqueueOptions): Promise<Enqueued>

  /**
   * Stores many jobs in few round trips; the results are in the order of the jobs. Each chunk (up to 500 jobs or 1 MiB
   * of payload) is stored in one piece. A value that is refused is refused before anything is stored.
   *
   * @throws {DelayqError} as {@link enqueue}
   */
  enqueueMany(jobs: readonly NewJob[]): Promise<Enqueued[]>

  /**
   * Takes up to `max` due jobs (default 1, at most 1000), the oldest due time first, and leases each to this caller.
   * Empty if nothing is due, with `wait` after waiting that long.
   *
   * @throws {DelayqError} `invalid_argument`; `timeout` (jobs may be leased to nobody until their lease ends);
   *   `unavailable`, `server`, `incompatible`, `closed`
   * @throws `signal.reason` if aborted
   */
  pop(max?: number, options?: PopOptions): Promise<Job[]>

  /**
   * Reports a job as done: it is removed, and its done marker is written.
   *
   * @throws {DelayqError} `lease_lost` if the job is not held under this receipt any more (nothing changes);
   *   `invalid_argument` if it is of another topic; `unavailable`, `timeout`, `server`, `incompatible`, `closed`
   */
  ack(job: Lease): Promise<AckOutcome>

  /**
   * Reports many jobs as done in few round trips; one outcome per job, in order. Each chunk of up to 500 jobs is
   * handled in one piece.
   *
   * @throws {DelayqError} `invalid_argument` if a job is of another topic, before anything is sent; `unavailable`,
   *   `timeout`, `server`, `incompatible`, `closed`
   */
  ackMany(jobs: readonly Lease[]): Promise<(AckOutcome | LeaseLost)[]>

  /**
   * Reports a job as failed: its `retryCount` grows by one, and it is scheduled again as its {@link RetryPolicy} says,
   * or goes to the dead letter set with the error.
   *
   * @throws {DelayqError} `lease_lost` if the job is not held under this receipt any more (nothing changes);
   *   `invalid_argument` if it is of another topic; `timeout` if the outcome is unknown; `unavailable`, `server`,
   *   `incompatible`, `closed`
   */
  retry(job: Lease, options?: RetryJobOptions): Promise<Retried>

  /**
   * Reports many jobs as failed in few round trips; one result per job, in order.
   *
   * @throws {DelayqError} as {@link ackMany}
   */
  retryMany(jobs: readonly (Lease | Failure)[]): Promise<Retried<RetryOutcome | LeaseLost>[]>

  /**
   * Hands a job back without counting a failure.
   *
   * @throws {DelayqError} as {@link retry}
   */
  release(job: Lease, options?: ReleaseOptions): Promise<Released>

  /**
   * Hands many jobs back in few round trips; one result per job, in order.
   *
   * @throws {DelayqError} as {@link ackMany}
   */
  releaseMany(jobs: readonly Lease[], options?: ReleaseOptions): Promise<Released<ReleaseOutcome | LeaseLost>[]>

  /**
   * A new lease from now, under the same receipt. Also the cheap question "is it still mine?" before a side effect.
   *
   * @throws {DelayqError} `lease_lost`; `invalid_argument` for a lease of zero or a job of another topic;
   *   `unavailable`, `timeout`, `server`, `incompatible`, `closed`
   */
  extend(job: Lease, options?: ExtendOptions): Promise<Extended>

  /**
   * New leases for many jobs in few round trips; one result per job, in order.
   *
   * @throws {DelayqError} as {@link ackMany}, and `invalid_argument` for a lease of zero
   */
  extendMany(jobs: readonly Lease[], options?: ExtendOptions): Promise<(Extended | NotExtended)[]>

  /**
   * Makes up to `limit` (default 100, at most 1000) jobs whose lease has ended due again; no failure is counted. A job
   * delivered `maxDeliveries` times goes to the dead letter set instead. Any number of processes may sweep at once.
   *
   * @throws {DelayqError} `invalid_argument`, `unavailable`, `timeout`, `server`, `incompatible`, `closed`
   */
  requeue(limit?: number): Promise<Requeued>

  /**
   * Removes a job in any live state and says which it was.
   *
   * @throws {DelayqError} `invalid_argument`; `timeout` if the outcome is unknown; `unavailable`, `server`,
   *   `incompatible`, `closed`
   */
  cancel(id: string): Promise<CancelOutcome>

  /**
   * Everything that Redis knows about a job.
   *
   * @throws {DelayqError} `not_found` if nothing is known under the id; `invalid_argument`, `unavailable`, `timeout`,
   *   `server`, `incompatible`, `closed`
   */
  get(id: string): Promise<JobInfo>

  /**
   * A page of the jobs of one state: by due time (`scheduled`), end of the lease (`processing`), or since when (`dead`,
   * `orphan`). A page may be shorter than `limit` if its bodies are large; the end is an empty page.
   *
   * @throws {DelayqError} `invalid_argument`, `unavailable`, `timeout`, `server`, `incompatible`, `closed`
   */
  list(state: IndexedState, options?: ListOptions): Promise<JobInfo[]>

  /**
   * Schedules dead jobs again with fresh counters.
   *
   * @throws {DelayqError} `invalid_argument`; `timeout` if the outcome is unknown; `unavailable`, `server`,
   *   `incompatible`, `closed`
   */
  redrive(options?: RedriveOptions): Promise<Redriven>

  /**
   * Deletes a slice of the jobs of one state, those that {@link list} shows first, and says how many are left. Purging
   * running jobs revokes their leases.
   *
   * @throws {DelayqError} as {@link redrive}
   */
  purge(state: IndexedState, options?: PurgeOptions): Promise<Purged>

  /**
   * Looks for ids without a body and bodies without an id, e.g. after an eviction or an edit by hand, and puts them
   * right: a lost body makes its id an orphan, a body that no index holds is scheduled again. One pass in small steps
   * that never block Redis. Healthy jobs are left alone, so producers and consumers may go on.
   *
   * @throws {DelayqError} `invalid_argument`, `unavailable`, `timeout`, `server`, `incompatible`, `closed`
   */
  repair(options?: RepairOptions): Promise<Repaired>

  /**
   * The numbers of the topic.
   *
   * @throws {DelayqError} `invalid_argument`, `unavailable`, `timeout`, `server`, `incompatible`, `closed`
   */
  stats(options?: StatsOptions): Promise<Stats>

  /**
   * Gives no jobs to any consumer of the topic, in any language, until {@link resume}. Running jobs go on, and jobs may
   * be enqueued.
   *
   * @throws {DelayqError} `unavailable`, `timeout`, `server`, `incompatible`, `closed`
   */
  pause(): Promise<void>

  /**
   * Ends a {@link pause}.
   *
   * @throws {DelayqError} as {@link pause}
   */
  resume(): Promise<void>

  /**
   * Gives all consumers of the topic together at most `rate` jobs per second, in every language; `null` takes the limit
   * away. In any time t they are given at most burst + rate · t jobs.
   *
   * @throws {DelayqError} `invalid_argument` for a rate that is not over 0 and at most 1,000,000,000, or a burst of 0;
   *   `unavailable`, `timeout`, `server`, `incompatible`, `closed`
   */
  limit(rate: number, options?: LimitOptions): Promise<void>
  limit(rate: null): Promise<void>
}

/**
 * What a {@link Handler} returns or throws to end its delivery in another way than by success or failure. Made by
 * {@link Release}, {@link Fail}, {@link Dead} and {@link Leave}.
 */
export interface Verdict {
  readonly how: 'done' | 'failed' | 'release' | 'dead' | 'leave'
  readonly message: string | undefined
  readonly delay: number | undefined
}

/**
 * Not now: the job is handed back without a failure, due again after `delay` ms (default 0).
 *
 * @throws {DelayqError} `invalid_argument` for an option that is unknown or of the wrong type
 */
export function Release(options?: ReleaseOptions): Verdict

/** How a job fails. */
export interface FailOptions {
  /** Due again after this many ms, instead of by the {@link RetryPolicy}. */
  delay?: number | undefined
}

/**
 * The job failed, as by an exception with this message (an `Error` or anything that can be a string), and may say when
 * it is to be retried. After one failure too many it is dead all the same.
 *
 * @throws {DelayqError} `invalid_argument` for an option that is unknown or of the wrong type
 */
export function Fail(message: unknown, options?: FailOptions): Verdict

/** The job will never succeed: it goes to the dead letter set at once, with this message. */
export function Dead(message: unknown): Verdict

/** Nothing is reported; the job comes back when its lease ends. */
export function Leave(): Verdict

/** A job in the hands of a {@link Handler}. Its lease is renewed until the handler ends. */
export interface Delivery extends Job {
  /**
   * Asks Redis whether the job is still this handler's, for a moment before a side effect; if so the lease is extended.
   *
   * @throws {DelayqError} `unavailable`, `timeout`, `server`, `incompatible`, `closed`
   */
  isMine(): Promise<boolean>
}

/** The second argument of a {@link Handler}. */
export interface HandlerContext {
  /**
   * Fires when the handler may give up: the lease was lost, the job was cancelled or replaced, or the worker is past the
   * deadline of its stop. Its reason is a {@link DelayqError} of the kind `lease_lost`. What the handler says after
   * that does not count.
   */
  readonly signal: AbortSignal
  /**
   * Fires when the worker begins to stop. The handler has until the deadline of the stop; one that would take longer may
   * hand its job back before, by a {@link Release}. Its reason is a {@link DelayqError} of the kind `closed`.
   */
  readonly stopping: AbortSignal
}

/**
 * Handles one job. It acknowledges the job by returning (a promise: by resolving), whatever the value; it has the job
 * retried by throwing (rejecting), with the message of what was thrown. A {@link Verdict}, returned or thrown, ends the
 * delivery in another way.
 */
export type Handler = (job: Delivery, context: HandlerContext) => unknown

/** Options of a {@link Worker}. */
export interface WorkerOptions {
  /** How many handlers run at once, over all topics of the worker. Default 8. */
  concurrency?: number | undefined
  /**
   * How many jobs may be taken before a handler is free for them. Default: as many as the handlers, as quick as they were
   * of late, begin within a tenth of a second, at most 200.
   */
  fetchAhead?: number | undefined
  /**
   * How often expired leases are looked for, over all workers of a topic together, in ms. Default 5000; at least twice in a
   * lease, but not more often than every second. A lease whose end is known is swept when it ends.
   */
  sweepEvery?: number | undefined
  /** How long a stop waits for running handlers unless it is told, in ms. Default 10,000. */
  stopDeadline?: number | undefined
}

/** How to stop. */
export interface StopOptions {
  /** How long to wait for running handlers, in ms, instead of `stopDeadline`. */
  deadline?: number | undefined
}

/** How a worker is. */
export interface Health {
  /** Whether the last call to Redis succeeded. */
  connected: boolean
  /** How long ago Redis last answered a pop, in ms; `null` if it never has. */
  lastPopMs: number | null
  /** Handlers at work. */
  running: number
  /** For how long the oldest of them has been at work, in ms; `null` if there is none. */
  oldestRunningMs: number | null
  /** Jobs taken that wait for a handler. */
  waiting: number
  /** Whether the worker is stopping, or has stopped. */
  stopping: boolean
}

/** The name of an event of a {@link Worker}. */
export type WorkerEvent = 'started' | 'done' | 'failed' | 'leaseLost' | 'released' | 'lost' | 'back'

/** What the listeners of a {@link Worker} are given. */
export interface WorkerEvents {
  /** A handler begins. */
  started: [event: { topic: string; id: string; deliveries: number }]
  /** A job was acknowledged; the handler took so many ms. */
  done: [event: { topic: string; id: string; tookMs: number }]
  /** A failure was recorded; the outcome says whether the job will run again. */
  failed: [event: { topic: string; id: string; outcome: RetryOutcome; error: string }]
  /** The job is not this worker's any more: its lease ended, or it was replaced or cancelled. */
  leaseLost: [event: { topic: string; id: string }]
  /** A job was handed back without a failure. */
  released: [event: { topic: string; id: string }]
  /** Redis does not answer as it should; the worker goes on trying. */
  lost: [event: { topic: string; error: DelayqError }]
  /** Redis answers again. */
  back: [event: { topic: string }]
  /**
   * What a listener threw, or what its promise rejected with. Emitted only if somebody listens; otherwise it is a
   * warning of the process (`process.on('warning')`, by default printed). Neither ends the worker.
   */
  error: [error: unknown]
}

/**
 * Takes jobs, runs handlers and reports what became of them. Fetching, reporting in batches, renewing leases and
 * sweeping for the jobs of crashed consumers go on in threads of their own, also while the event loop stands still.
 *
 * A worker that is started keeps the process alive until it is stopped. If the process ends without a stop, its jobs
 * come back when their leases end. If a thread of `worker_threads` is terminated, its worker takes no more; what waited
 * is handed back, and what handlers had comes back when its lease ends. Stop a worker before its client is closed.
 */
export class Worker extends EventEmitter<WorkerEvents> {
  /**
   * @throws {DelayqError} `invalid_argument` for what is of the wrong type, or an option that is unknown
   */
  constructor(queue: Queue, handler: Handler, options?: WorkerOptions)
  /**
   * Several topics, all within the worker's concurrency.
   *
   * @throws {DelayqError} as above
   */
  constructor(routes: readonly (readonly [Queue, Handler])[], options?: WorkerOptions)

  /**
   * Begins. Redis need not be there yet. Starting again does nothing.
   *
   * @throws {DelayqError} `invalid_argument` without a queue, with a topic twice, for a concurrency or a sweep of zero,
   *   and for numbers that are none; `closed` if the worker was stopped; `internal` if a thread cannot be started
   */
  start(): Promise<void>

  /**
   * Stops: nothing more is taken, and what waits for a handler is handed back without a failure. Running handlers have
   * until the deadline, and what they say still counts. At the deadline the rest is handed back too, and their signals
   * fire. Stopping again waits for the first stop. Works while Redis is down: then the jobs come back when their leases
   * end.
   *
   * @throws {DelayqError} `invalid_argument` for a deadline that is none; nothing happens then
   */
  stop(options?: StopOptions): Promise<void>

  /**
   * Starts, and stops when the process receives SIGTERM or SIGINT, or somebody else calls `stop`. A second signal ends the
   * process at once. For the main thread; other threads receive no signals.
   *
   * @throws {DelayqError} as {@link start}
   */
  run(): Promise<void>

  /** How the worker is, for a health check. Costs nothing. */
  health(): Health

  removeAllListeners(eventName?: keyof WorkerEvents): this
}

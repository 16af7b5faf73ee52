/**
 * delayq: a delayed task queue on Redis sorted sets. Enqueue a job now, have it run when it is due, by exactly one
 * consumer at a time, from any language.
 *
 * Durations are milliseconds. Times read back are a `Date` and, beside it, the exact number of milliseconds since the
 * epoch by the Redis server's clock. Every call but `client.queue` returns a promise and runs on a thread of its own,
 * never on the event loop nor in libuv's thread pool. Calls that are not awaited may take effect in any order.
 *
 * Every failure is a {@link DelayqError}: `client.queue` throws it, everything else rejects with it. A `pop` that was
 * aborted rejects with its signal's reason instead.
 */

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
export type Verb = 'enqueue' | 'enqueue_many' | 'pop' | 'ack' | 'requeue' | 'cancel'

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
   * @param url `redis://[user:password@]host:port/db`, `rediss://` (TLS), `unix:///path?db=0`, or `embedded:<dir>`
   *   for a private server in that folder
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

/** `acked`: the job is done and gone. `already`: it had been acknowledged under this receipt before. */
export type AckOutcome = 'acked' | 'already'

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
}

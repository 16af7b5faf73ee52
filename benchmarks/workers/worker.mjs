// A worker for the benchmarks; default options. Its handler does nothing, unless the payload begins with `s` (takes
// 30 ms), `f` (fails twice) or `d` (is dead). Usage: worker.mjs URL TOPIC [LEASE_MS]; ends with its input.

import { setTimeout as pause } from 'node:timers/promises'

import { Client, Dead, Fail, Worker } from '../../bindings-node/index.js';

const [url, topic, lease = '30000'] = process.argv.slice(2);
const client = await Client.open(url);
const queue = client.queue(topic, { lease: Number(lease) });

async function handler(job) {
  const kind = String.fromCharCode(job.payload[0]);
  if (kind === 's') await pause(30);
  if (kind === 'f' && job.retryCount < 2) return Fail('not yet', { delay: 100 });
  if (kind === 'd') return Dead('hopeless');
}

const worker = new Worker(queue, handler);
await worker.start();
process.stdin.resume();
await new Promise((resolve) => process.stdin.once('end', resolve));
await worker.stop();
await client.close();

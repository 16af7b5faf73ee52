// Closes orders that are due, until SIGTERM. Usage: consumer.mjs URL
// Writes a line per order: `closed ID LATENESS_MS OUTCOME`.

import { Client } from '../../bindings-node/index.js';

const LEASE = 10_000;

const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());

const client = await Client.open(process.argv[2]);
const queue = client.queue('order_close', { lease: LEASE });
while (!stop.signal.aborted) {
  await queue.requeue(); // what a crashed consumer left behind
  for (const job of await take()) {
    const takenAt = job.leaseUntilMs - LEASE; // by the server's clock, like the due time
    const { order_id: orderId } = job.json();
    const outcome = await queue.ack(job);
    console.log('closed', orderId, takenAt - job.dueAtMs, outcome);
  }
}
await client.close();

/** Up to ten orders that are due; none when the time is over or we are told to stop. */
async function take() {
  try {
    return await queue.pop(10, { wait: 1000, signal: stop.signal });
  } catch (error) {
    if (error === stop.signal.reason) return [];
    throw error;
  }
}

// A worker whose handler does nothing, for the benchmarks; default options. Usage: worker.mjs URL TOPIC [LEASE_MS]; ends with its input.

import { Client, Worker } from '../../bindings-node/index.js';

const [url, topic, lease = '30000'] = process.argv.slice(2);
const client = await Client.open(url);
const queue = client.queue(topic, { lease: Number(lease) });
const worker = new Worker(queue, async () => {});
await worker.start();
process.stdin.resume();
await new Promise((resolve) => process.stdin.once('end', resolve));
await worker.stop();
await client.close();

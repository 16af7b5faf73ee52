// The README's Node example. Usage: quickstart.mjs [URL]

// START quickstart
import { Client } from 'delayq';

const client = await Client.open(process.argv[2] ?? 'embedded:./data');
const queue = client.queue('order_close', { lease: 30_000 });

await queue.enqueue({ order: 2 }, { id: 'order:2:close', delay: 100 });

for (const job of await queue.pop(20, { wait: 5000 })) {
  console.log('closing order', job.json().order);
  await queue.ack(job);
}
// END quickstart

await client.close();

// A worker in Node.js: run it, then stop it with Ctrl-C. Usage: worker.mjs [URL]

import { setTimeout as pause } from 'node:timers/promises'

import { Client, Dead, Release, Worker } from 'delayq'

const client = await Client.open(process.argv[2] ?? 'embedded:./data')
const queue = client.queue('reminders')

const worker = new Worker(queue, async (job, { signal }) => {
  const { who, times } = job.json()
  if (who === undefined) return Dead('nobody to remind') // no retry would help
  if (times > 1 && job.deliveries === 1) return Release({ delay: 500 }) // not now
  await pause(50, undefined, { signal }) // the work; it ends early if the job is cancelled meanwhile
  if (await job.isMine()) console.log(`reminded ${who}`) // asked right before the side effect
}, { concurrency: 4 })

worker.on('failed', ({ id, outcome, error }) => console.log(`${id} failed (${outcome}): ${error}`))
worker.on('released', ({ id }) => console.log(`${id} comes again later`))
worker.on('lost', ({ error }) => console.log(`Redis is away: ${error.message}`))

await queue.enqueue({ who: 'Ada', times: 1 }, { id: 'ada', delay: 200 })
await queue.enqueue({ who: 'Grace', times: 2 }, { id: 'grace', delay: 100 })
await queue.enqueue({}, { id: 'nobody' })

console.log('working; stop with Ctrl-C')
await worker.run()
await client.close()

-- enqueue: store jobs, body and index in one piece. Also enqueue_many: one chunk, no id twice.
--
-- KEYS[1] scheduled  [2] processing  [3] dead  [4] orphan  [5] stats
--     then per job: its body, its done marker
-- ARGV[1] topic  [2] job_ttl ms (0 = none)  [3] channel for hints
--     then per job: id, payload, 'delay' or 'at', ms, mode (replace | keep | reschedule), '1' to ignore done,
--     retry policy (see prelude.lua) or ''
-- Returns  { 'OK', then per job: outcome, due ms or -1 }; 'NEW' instead of 'OK' if the topic had no statistics before,
--          as after a FLUSHALL, so that the client makes the topic known again
--     or   { 'RANGE', place of the job, from 1 } if a job would be due after year 9999; nothing is written
-- Errors   WRONGTYPE, OOM: nothing is written
-- Body     payload, topic, created_at; a counter that is absent is zero, because each field of a hash with a
--          payload over 64 bytes costs some 50 bytes
-- Cost     8 reads + 2 writes a chunk, HSET + PEXPIREAT a job, ZADD a chunk

local scheduled_key, processing_key, dead_key, orphan_key, stats_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local topic, job_ttl, channel = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local n = (#KEYS - 5) / 2
local now = now_ms()

local jobs, ids, bodies, markers = {}, {}, {}, {}
for i = 1, n do
  local a = 3 + (i - 1) * 7
  local ms = tonumber(ARGV[a + 4])
  local due = ARGV[a + 3] == 'delay' and now + ms or math.max(ms, now)
  if due > MAX_MS then return { 'RANGE', i } end
  ids[i], bodies[i], markers[i] = ARGV[a + 1], KEYS[4 + 2 * i], KEYS[5 + 2 * i]
  jobs[i] = { payload = ARGV[a + 2], due = due, mode = ARGV[a + 5], ignore_done = ARGV[a + 6] == '1', policy = ARGV[a + 7] }
end

-- Where each id is now. These reads also refuse keys of a wrong type.
local is_new = check_type(stats_key, 'hash') == 'none'
local scheduled = redis.call('ZMSCORE', scheduled_key, unpack(ids))
local processing = redis.call('ZMSCORE', processing_key, unpack(ids))
local dead = redis.call('ZMSCORE', dead_key, unpack(ids))
local orphan = redis.call('ZMSCORE', orphan_key, unpack(ids))
local any_body = redis.call('EXISTS', unpack(bodies)) > 0
local any_done = redis.call('EXISTS', unpack(markers)) > 0

-- Decide on every job before the first write.
local counts = { enqueued = 0, replaced = 0, moved = 0 }
for i = 1, n do
  local job = jobs[i]
  job.has_body = any_body and redis.call('HLEN', bodies[i]) > 0
  job.live = job.has_body and (scheduled[i] or processing[i] or dead[i])
  local done = any_done and redis.call('GET', markers[i])
  if done and not job.ignore_done then
    job.outcome, job.due = 'done', -1
  elseif job.mode == 'reschedule' then
    if job.has_body and scheduled[i] then
      job.outcome, counts.moved = 'moved', counts.moved + 1
    else
      job.outcome, job.due = 'missing', -1
    end
  elseif job.live and job.mode == 'keep' then
    job.outcome = 'kept'
    job.due = tonumber(scheduled[i] or redis.call('HGET', bodies[i], 'due_at')) or -1
  elseif job.live then
    job.outcome, counts.replaced = 'replaced', counts.replaced + 1
  else
    job.outcome, counts.enqueued = 'created', counts.enqueued + 1
  end
  job.forget_done = done and job.ignore_done
end

-- Write. The first HSET may still be refused by OOM, which Redis checks at a script's first write only.
local before, earliest = head(scheduled_key), math.huge
local due, leave_processing, leave_dead, leave_orphan = {}, {}, {}, {}
local reply = { 'OK' }
for i = 1, n do
  local job, id = jobs[i], ids[i]
  local stored = job.outcome == 'created' or job.outcome == 'replaced'
  if stored then
    if job.has_body then redis.call('DEL', bodies[i]) end
    redis.call('HSET', bodies[i], 'payload', job.payload, 'topic', topic, 'created_at', text(now))
    if job.policy ~= '' then redis.call('HSET', bodies[i], 'retry_policy', job.policy) end
    if processing[i] then leave_processing[#leave_processing + 1] = id end
    if dead[i] then leave_dead[#leave_dead + 1] = id end
    if orphan[i] then leave_orphan[#leave_orphan + 1] = id end
    if job.forget_done then redis.call('DEL', markers[i]) end
  end
  if stored or job.outcome == 'moved' then
    keep_body(bodies[i], job.due, job_ttl)
    due[#due + 1], due[#due + 2] = text(job.due), id
    earliest = math.min(earliest, job.due)
  end
  reply[#reply + 1], reply[#reply + 2] = job.outcome, job.due
end
if #due > 0 then
  redis.call('ZADD', scheduled_key, unpack(due))
  hint(channel, earliest, before, now)
end
if #leave_processing > 0 then redis.call('ZREM', processing_key, unpack(leave_processing)) end
tell_revoked(channel, leave_processing)
if #leave_dead > 0 then redis.call('ZREM', dead_key, unpack(leave_dead)) end
if #leave_orphan > 0 then redis.call('ZREM', orphan_key, unpack(leave_orphan)) end
count(stats_key, counts)
if is_new and counts.enqueued > 0 then reply[1] = 'NEW' end
return reply

-- redrive: dead jobs are scheduled again with fresh counters; the named ones, or the oldest so many.
--
-- KEYS[1] scheduled  [2] dead  [3] orphan  [4] stats
--     Body keys are computed from the ids (same slot, but undeclared for strict servers).
-- ARGV[1] body key prefix  [2] delay ms  [3] job_ttl ms (0 = none)  [4] most jobs, or 0 for the named ones
--     [5] channel for hints, then the ids
-- Returns  { 'OK', redriven, orphaned (body missing), not dead }
--     or   { 'RANGE' } if the delay ends after year 9999; nothing is written
-- Errors   WRONGTYPE: nothing is written
-- Cost     5 reads + up to 4 writes a call; TYPE + HDEL + PEXPIREAT a job

local scheduled_key, dead_key, orphan_key, stats_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local body_prefix, delay, job_ttl, max = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local now = now_ms()
local at = now + delay
if at > MAX_MS then return { 'RANGE' } end

check_type(scheduled_key, 'zset')
check_type(orphan_key, 'zset')
check_type(stats_key, 'hash')

local ids, absent = {}, 0
if max > 0 then
  ids = redis.call('ZRANGE', dead_key, 0, max - 1)
elseif #ARGV > 5 then
  local named = { unpack(ARGV, 6) }
  local scores = redis.call('ZMSCORE', dead_key, unpack(named))
  local seen = {}
  for i, id in ipairs(named) do
    if scores[i] and not seen[id] then
      ids[#ids + 1], seen[id] = id, true
    else
      absent = absent + 1
    end
  end
end
if #ids == 0 then return { 'OK', 0, 0, absent } end

local due, orphans, bodies = {}, {}, {}
for _, id in ipairs(ids) do
  local body = body_prefix .. id
  if redis.call('TYPE', body).ok == 'hash' then
    bodies[#bodies + 1] = body
    due[#due + 1], due[#due + 2] = text(at), id
  else
    orphans[#orphans + 1], orphans[#orphans + 2] = text(now), id
  end
end

redis.call('ZREM', dead_key, unpack(ids)) -- first a write that needs no memory, see pop.lua
for _, body in ipairs(bodies) do
  redis.call('HDEL', body, 'retry_count', 'deliveries', 'last_error', 'lease', 'picked_at')
  keep_body(body, at, job_ttl)
end
if #due > 0 then
  local before = head(scheduled_key)
  redis.call('ZADD', scheduled_key, unpack(due))
  hint(ARGV[5], at, before, now)
end
if #orphans > 0 then redis.call('ZADD', orphan_key, unpack(orphans)) end
count(stats_key, { redriven = #due / 2, orphaned = #orphans / 2 })
return { 'OK', #due / 2, #orphans / 2, absent }

-- requeue: jobs whose lease has ended are due again, or dead if they were delivered too often.
--
-- KEYS[1] scheduled  [2] processing  [3] dead  [4] orphan  [5] stats
--     Body keys are computed from the ids found (same slot, but undeclared for strict servers).
-- ARGV[1] body key prefix  [2] most jobs  [3] max_deliveries  [4] job_ttl ms (0 = none)
--     [5] channel for hints
-- Returns  { 'OK', requeued, dead, orphaned, ms until the next lease ends (-1: nothing is leased) }
-- Errors   WRONGTYPE of an index: nothing is written. A body that is missing or no hash sends its id to
--          the orphan set instead.
-- Cost     7 reads + up to 6 writes a call; TYPE + HGET + HDEL + PEXPIREAT a job

local scheduled_key, processing_key, dead_key, orphan_key, stats_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local body_prefix, max, max_deliveries, job_ttl = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local now = now_ms()

local function next_in()
  local first = head(processing_key)
  return first and math.max(first - now, 0) or -1
end

local expired = redis.call('ZRANGEBYSCORE', processing_key, '-inf', now, 'LIMIT', 0, max)
if #expired == 0 then return { 'OK', 0, 0, 0, next_in() } end
check_type(scheduled_key, 'zset')
check_type(dead_key, 'zset')
check_type(orphan_key, 'zset')
check_type(stats_key, 'hash')

local due, dead, orphans, bodies, deliveries = {}, {}, {}, {}, {}
for _, id in ipairs(expired) do
  local body = body_prefix .. id
  local into = orphans
  if redis.call('TYPE', body).ok == 'hash' then
    deliveries[id] = tonumber(redis.call('HGET', body, 'deliveries')) or 0
    into = deliveries[id] >= max_deliveries and dead or due
    bodies[#bodies + 1] = body
  end
  into[#into + 1], into[#into + 2] = text(now), id
end

-- First a write that needs no memory (see pop.lua), so that jobs go on while the server is full.
redis.call('ZREM', processing_key, unpack(expired))
for _, body in ipairs(bodies) do
  redis.call('HDEL', body, 'lease', 'picked_at') -- the old receipt is worth nothing from here on
  keep_body(body, now, job_ttl)
end
for i = 2, #dead, 2 do
  local reason = 'delivered ' .. text(deliveries[dead[i]]) .. ' times without an ack'
  redis.call('HSET', body_prefix .. dead[i], 'last_error', reason)
end
if #due > 0 then
  local before = head(scheduled_key)
  redis.call('ZADD', scheduled_key, unpack(due))
  hint(ARGV[5], now, before, now)
end
if #dead > 0 then redis.call('ZADD', dead_key, unpack(dead)) end
if #orphans > 0 then redis.call('ZADD', orphan_key, unpack(orphans)) end
local requeued, died, orphaned = #due / 2, #dead / 2, #orphans / 2
count(stats_key, { expired = #expired, dead = died, orphaned = orphaned })
return { 'OK', requeued, died, orphaned, next_in() }

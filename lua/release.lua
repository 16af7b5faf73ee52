-- release: hand jobs back without counting a failure. One or many.
--
-- KEYS[1] scheduled  [2] processing  [3] stats
--     then per job: its body, its done marker
-- ARGV[1] job_ttl ms (0 = none)  [2] delay ms  [3] channel for hints
--     then per job: id, receipt
-- Returns  { 'OK', then per job: released | done | lease_lost, due ms or -1 }
--          done: it was acknowledged under this receipt before; nothing changes
--     or   { 'RANGE' } if the delay ends after year 9999; nothing is written
-- Errors   WRONGTYPE: nothing is written
-- Cost     3 reads + 3 writes a call; HGET + HDEL + PEXPIREAT a job

local scheduled_key, processing_key, stats_key = KEYS[1], KEYS[2], KEYS[3]
local job_ttl, delay, channel = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local n = (#KEYS - 3) / 2
local now = now_ms()
local at = now + delay
if at > MAX_MS then return { 'RANGE' } end

check_type(scheduled_key, 'zset')
check_type(processing_key, 'zset')
check_type(stats_key, 'hash')

local reply, ids, bodies, due, seen = { 'OK' }, {}, {}, {}, {}
for i = 1, n do
  local id, receipt = ARGV[2 + 2 * i], ARGV[3 + 2 * i]
  local body, marker = KEYS[2 + 2 * i], KEYS[3 + 2 * i]
  local outcome, due_at = 'lease_lost', -1
  if redis.call('HGET', body, 'lease') == receipt and not seen[id] then
    outcome, due_at, seen[id] = 'released', at, true
    ids[#ids + 1], bodies[#bodies + 1] = id, body
    due[#due + 1], due[#due + 2] = text(at), id
  elseif redis.call('GET', marker) == receipt then
    outcome = 'done'
  end
  reply[#reply + 1], reply[#reply + 2] = outcome, due_at
end

if #ids > 0 then
  redis.call('ZREM', processing_key, unpack(ids)) -- first a write that needs no memory, see pop.lua
  for _, body in ipairs(bodies) do
    redis.call('HDEL', body, 'lease', 'picked_at')
    keep_body(body, at, job_ttl)
  end
  local before = head(scheduled_key)
  redis.call('ZADD', scheduled_key, unpack(due))
  hint(channel, at, before, now)
  count(stats_key, { released = #ids })
end
return reply

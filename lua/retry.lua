-- retry: report failed jobs; each goes back to the schedule by its policy, or to the dead letter set. One or many.
--
-- KEYS[1] scheduled  [2] processing  [3] dead  [4] stats
--     then per job: its body, its done marker
-- ARGV[1] job_ttl ms (0 = none)  [2] channel for hints
--     then per job: id, receipt, error or '', delay ms or '' (by the policy) or 'dead', the handle's policy,
--     a random number from 0 to 1 for the jitter
-- Returns  { 'OK', then per job: scheduled | dead | done | lease_lost, due ms or -1, retry_count }
--          done: it has a done marker, so it succeeded; it is removed instead of run again
--     or   { 'RANGE' } if a given delay ends after year 9999; nothing is written
-- Errors   WRONGTYPE: nothing is written
-- Cost     4 reads + up to 4 writes a call; HMGET + GET + HSET + HDEL + PEXPIREAT a job

local scheduled_key, processing_key, dead_key, stats_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local job_ttl, channel = tonumber(ARGV[1]), ARGV[2]
local n = (#KEYS - 4) / 2
local now = now_ms()

check_type(scheduled_key, 'zset')
check_type(processing_key, 'zset')
check_type(dead_key, 'zset')
check_type(stats_key, 'hash')

local reply, leave, due, dead, done, changes, seen = { 'OK' }, {}, {}, {}, {}, {}, {}
for i = 1, n do
  local a = 3 + (i - 1) * 6
  local id, receipt, err, delay, policy, random =
    ARGV[a], ARGV[a + 1], ARGV[a + 2], tonumber(ARGV[a + 3]), ARGV[a + 4], tonumber(ARGV[a + 5])
  local body, marker = KEYS[3 + 2 * i], KEYS[4 + 2 * i]
  local lease, failures, own_policy = unpack(redis.call('HMGET', body, 'lease', 'retry_count', 'retry_policy'))
  local marked = redis.call('GET', marker)
  local outcome, at, failed = 'lease_lost', -1, tonumber(failures) or 0
  if marked and (lease == receipt or marked == receipt) then
    outcome = 'done'
    if lease == receipt and not seen[id] then
      leave[#leave + 1], done[#done + 1] = id, body
    end
  elseif lease == receipt and not seen[id] then
    failed = failed + 1
    local wait, most = policy_delay(own_policy or policy, failed, random)
    if failed > most or ARGV[a + 3] == 'dead' then
      outcome = 'dead'
      dead[#dead + 1], dead[#dead + 2] = text(now), id
    else
      if delay and now + delay > MAX_MS then return { 'RANGE' } end
      outcome, at = 'scheduled', math.min(now + (delay or wait), MAX_MS)
      due[#due + 1], due[#due + 2] = at, id
    end
    leave[#leave + 1] = id
    changes[#changes + 1] = { body = body, failed = failed, err = err, from = math.max(at, now) }
  end
  if outcome ~= 'lease_lost' then seen[id] = true end
  reply[#reply + 1], reply[#reply + 2], reply[#reply + 3] = outcome, at, failed
end

if #leave > 0 then
  -- First a write that needs no memory (see pop.lua), so that failures can be reported to a full server.
  redis.call('ZREM', processing_key, unpack(leave))
  if #done > 0 then redis.call('DEL', unpack(done)) end
  for _, change in ipairs(changes) do
    redis.call('HDEL', change.body, 'lease', 'picked_at')
    redis.call('HSET', change.body, 'retry_count', change.failed, 'last_error', change.err)
    keep_body(change.body, change.from, job_ttl)
  end
  if #due > 0 then
    local before, earliest = head(scheduled_key), math.huge
    for i = 1, #due, 2 do earliest = math.min(earliest, due[i]) end
    redis.call('ZADD', scheduled_key, unpack(due))
    hint(channel, earliest, before, now)
  end
  if #dead > 0 then redis.call('ZADD', dead_key, unpack(dead)) end
  count(stats_key, { retried = #due / 2, dead = #dead / 2 })
end
return reply

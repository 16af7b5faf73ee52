-- repair: look at the given ids and put right what is broken; healthy jobs are left alone.
--
-- KEYS[1] scheduled  [2] processing  [3] dead  [4] orphan  [5] stats
--     then per id: its body, its done marker
-- ARGV[1] job_ttl ms (0 = none)  [2] channel for hints
--     then the ids
-- Returns  { 'OK', rescheduled, orphaned, removed }
--          rescheduled: a body that no index held, or whose id was an orphan, is due at the time it carries: that of
--          its last pop, or if it was never popped that by which its life was set (less job_ttl); without either, now
--          orphaned: an index held the id and its body is missing or no hash with a payload
--          removed: a body that no index held and whose job is done
-- Errors   WRONGTYPE: nothing is written
-- Cost     6 reads + up to 6 writes a call; TYPE + HMGET + GET an id, PTTL a body never popped

local job_ttl = tonumber(ARGV[1])
local n = (#KEYS - 5) / 2
local now = now_ms()
local ids = { unpack(ARGV, 3) }

check_type(KEYS[5], 'hash')
local where = {}
for i = 1, 4 do where[i] = redis.call('ZMSCORE', KEYS[i], unpack(ids)) end

local function due_of(body, at)
  at = tonumber(at)
  if not at and job_ttl > 0 then
    local left = redis.call('PTTL', body)
    at = left > 0 and now + left - job_ttl
  end
  return at and at >= 0 and at <= MAX_MS and math.floor(at) or now
end

local due, orphans, leave, remove, revive = {}, {}, { {}, {}, {}, {} }, {}, {}
for i = 1, n do
  local id, body = ids[i], KEYS[4 + 2 * i]
  local place = (where[1][i] and 1) or (where[2][i] and 2) or (where[3][i] and 3) or (where[4][i] and 4)
  local kind = redis.call('TYPE', body).ok
  local payload, due_at
  if kind == 'hash' then payload, due_at = unpack(redis.call('HMGET', body, 'payload', 'due_at')) end
  if place and place < 4 and not payload then
    leave[place][#leave[place] + 1] = id
    orphans[#orphans + 1], orphans[#orphans + 2] = now, id
  elseif payload and (not place or place == 4) then
    if redis.call('GET', KEYS[5 + 2 * i]) then
      remove[#remove + 1] = body
    else
      local at = due_of(body, due_at)
      due[#due + 1], due[#due + 2] = at, id
      revive[#revive + 1] = { body = body, from = math.max(at, now) }
    end
    if place then leave[4][#leave[4] + 1] = id end
  end
end

for i = 1, 4 do
  if #leave[i] > 0 then redis.call('ZREM', KEYS[i], unpack(leave[i])) end
end
if #remove > 0 then redis.call('DEL', unpack(remove)) end
for _, job in ipairs(revive) do
  redis.call('HDEL', job.body, 'lease', 'picked_at')
  keep_body(job.body, job.from, job_ttl)
end
if #due > 0 then
  local before, earliest = head(KEYS[1]), math.huge
  for i = 1, #due, 2 do earliest = math.min(earliest, due[i]) end
  redis.call('ZADD', KEYS[1], unpack(due))
  hint(ARGV[2], earliest, before, now)
end
if #orphans > 0 then redis.call('ZADD', KEYS[4], unpack(orphans)) end
count(KEYS[5], { orphaned = #orphans / 2, repaired = #due / 2 })
return { 'OK', #due / 2, #orphans / 2, #remove }

-- ack: report jobs as done. One job or many.
--
-- KEYS[1] processing  [2] stats
--     then per job: its body, its done marker
-- ARGV[1] done_ttl ms (0 = no marker)
--     then per job: id, receipt
-- Returns  { 'OK', then per job: acked | already | lease_lost }
-- Errors   WRONGTYPE: nothing is written
-- Cost     4 reads + 4 writes a call; HMGET + SET a job

local processing_key, stats_key = KEYS[1], KEYS[2]
local done_ttl = ARGV[1]
local n = (#KEYS - 2) / 2

check_type(processing_key, 'zset')
check_type(stats_key, 'hash')
local reply, ids, bodies, markers, seen, durations = { 'OK' }, {}, {}, {}, {}, {}
local marker_keys = {}
for i = 1, n do marker_keys[i] = KEYS[2 + 2 * i] end
local any_marker = n > 0 and redis.call('EXISTS', unpack(marker_keys)) > 0
local now = now_ms()
for i = 1, n do
  local id, receipt = ARGV[2 * i], ARGV[2 * i + 1]
  local body, marker = KEYS[1 + 2 * i], marker_keys[i]
  local outcome = 'lease_lost'
  local marked = any_marker and redis.call('GET', marker) -- raises if it is no marker, which SET would write over
  local lease, picked_at = unpack(redis.call('HMGET', body, 'lease', 'picked_at'))
  if seen[id] == receipt then
    outcome = 'already'
  elseif lease == receipt then
    outcome = 'acked'
    seen[id] = receipt
    durations[#durations + 1] = now - (tonumber(picked_at) or now)
    ids[#ids + 1], bodies[#bodies + 1] = id, body
    markers[#markers + 1] = { key = marker, receipt = receipt }
  elseif marked == receipt then
    outcome = 'already'
  end
  reply[#reply + 1] = outcome
end

if #ids > 0 then
  -- First a write that needs no memory (see pop.lua), so that a full server still takes the ack.
  redis.call('ZREM', processing_key, unpack(ids))
  redis.call('DEL', unpack(bodies))
  if done_ttl ~= '0' then
    for _, marker in ipairs(markers) do
      redis.call('SET', marker.key, marker.receipt, 'PX', done_ttl)
    end
  end
  count(stats_key, { acked = #ids })
  observe(stats_key, 'processing', durations)
end
return reply

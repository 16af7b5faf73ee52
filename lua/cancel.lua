-- cancel: remove a job in any live state.
--
-- KEYS[1] scheduled  [2] processing  [3] dead  [4] orphan  [5] stats  [6] body  [7] done marker
-- ARGV[1] id  [2] channel for hints
-- Returns  { 'OK', scheduled | processing | dead | orphan | done | missing }
-- Errors   WRONGTYPE: nothing is written
-- Cost     7 reads + 3 writes, PUBLISH for a running job

local places = { 'scheduled', 'processing', 'dead', 'orphan' }
local id, stats_key, body, marker = ARGV[1], KEYS[5], KEYS[6], KEYS[7]

local found, place
for i, name in ipairs(places) do
  if redis.call('ZSCORE', KEYS[i], id) then found, place = i, name end
end
check_type(stats_key, 'hash')
local has_body = redis.call('HLEN', body) > 0

if not found and not has_body then
  return { 'OK', redis.call('GET', marker) and 'done' or 'missing' }
end
if found then redis.call('ZREM', KEYS[found], id) end
if place == 'processing' then tell_revoked(ARGV[2], { id }) end
if has_body then redis.call('DEL', body) end
if not (found and has_body) then return { 'OK', 'orphan' } end
count(stats_key, { cancelled = 1 })
return { 'OK', place }

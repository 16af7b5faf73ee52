-- purge: delete a slice of the jobs of one state, the lowest scores first.
--
-- KEYS[1] the index of that state  [2] stats
--     Body keys are computed from the ids found (same slot, but undeclared for strict servers).
-- ARGV[1] body key prefix  [2] most jobs  [3] channel for hints, '' if these jobs are not running
-- Returns  { 'OK', purged, left in that state }
-- Errors   WRONGTYPE: nothing is written
-- Cost     3 reads + 3 writes a call; TYPE a job, PUBLISH a running one

local body_prefix, max = ARGV[1], tonumber(ARGV[2])
local ids = redis.call('ZRANGE', KEYS[1], 0, max - 1)
check_type(KEYS[2], 'hash')
if #ids == 0 then return { 'OK', 0, 0 } end

local bodies = {}
for _, id in ipairs(ids) do
  local body = body_prefix .. id
  if redis.call('TYPE', body).ok == 'hash' then bodies[#bodies + 1] = body end -- a foreign key is not ours to delete
end
redis.call('ZREM', KEYS[1], unpack(ids))
if #bodies > 0 then redis.call('UNLINK', unpack(bodies)) end
if ARGV[3] ~= '' then tell_revoked(ARGV[3], ids) end
count(KEYS[2], { purged = #ids })
return { 'OK', #ids, redis.call('ZCARD', KEYS[1]) }

-- list: a page of the jobs of one state, in the order of their scores.
--
-- KEYS[1] the index of that state
--     Body keys are computed from the ids found (same slot, but undeclared for strict servers).
-- ARGV[1] body key prefix  [2] offset  [3] most jobs
-- Returns  { 'OK', then per job: id, score, number of fields, then the fields of the body: name, value, … }
-- Errors   WRONGTYPE of the index. A body of another type is listed as if it were missing.
-- Cost     1 read a call, TYPE + HGETALL a job. Ends early past 8 MiB of bodies.

local MAX_BYTES = 8 * 1024 * 1024
local body_prefix, offset, max = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local found = redis.call('ZRANGE', KEYS[1], offset, offset + max - 1, 'WITHSCORES')
local reply, bytes = { 'OK' }, 0
for i = 1, #found, 2 do
  local body = body_prefix .. found[i]
  local fields = redis.call('TYPE', body).ok == 'hash' and redis.call('HGETALL', body) or {}
  reply[#reply + 1], reply[#reply + 2], reply[#reply + 3] = found[i], tonumber(found[i + 1]), #fields
  for j = 1, #fields do
    reply[#reply + 1] = fields[j]
    bytes = bytes + #fields[j]
  end
  if bytes > MAX_BYTES then break end
end
return reply

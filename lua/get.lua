-- get: everything about one job.
--
-- KEYS[1] scheduled  [2] processing  [3] dead  [4] orphan  [5] body  [6] done marker
-- ARGV[1] id
-- Returns  { 'OK', state: scheduled | processing | dead | orphan | done | missing,
--            score in that index or -1, then the fields of the body: name, value, name, value, … }
-- Errors   WRONGTYPE
-- Cost     7 reads

local id, body = ARGV[1], KEYS[5]
local state, score = 'missing', -1
for i, name in ipairs({ 'scheduled', 'processing', 'dead', 'orphan' }) do
  local found = redis.call('ZSCORE', KEYS[i], id)
  if found then state, score = name, tonumber(found) end
end
local fields = redis.call('HGETALL', body)
if state == 'missing' and #fields > 0 then state = 'orphan' end
if state == 'missing' and redis.call('GET', KEYS[6]) then state = 'done' end
local reply = { 'OK', state, score }
for i = 1, #fields do reply[#reply + 1] = fields[i] end
return reply

-- stats: the numbers of a topic at this moment.
--
-- KEYS[1] scheduled  [2] processing  [3] dead  [4] orphan  [5] conf  [6] stats
-- ARGV[1] overdue threshold ms
-- Returns  { 'OK', backlog, due now, overdue, age of the oldest due job ms, processing, expired leases, dead,
--            orphans, '1' if paused, rate or '', burst or '', then the fields of stats: name, value, … }
-- Errors   WRONGTYPE
-- Cost     10 reads; HGETALL of a hash with at most some 700 short fields

local now = now_ms()
local oldest = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
local conf = redis.call('HMGET', KEYS[5], 'paused', 'rate', 'burst')
local reply = {
  'OK',
  redis.call('ZCARD', KEYS[1]),
  redis.call('ZCOUNT', KEYS[1], '-inf', now),
  redis.call('ZCOUNT', KEYS[1], '-inf', '(' .. text(now - tonumber(ARGV[1]))),
  oldest and math.max(now - tonumber(oldest), 0) or 0,
  redis.call('ZCARD', KEYS[2]),
  redis.call('ZCOUNT', KEYS[2], '-inf', now),
  redis.call('ZCARD', KEYS[3]),
  redis.call('ZCARD', KEYS[4]),
  conf[1] or '',
  conf[2] or '',
  conf[3] or '',
}
local fields = redis.call('HGETALL', KEYS[6])
for i = 1, #fields do reply[#reply + 1] = fields[i] end
return reply

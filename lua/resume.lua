-- resume: the end of a pause.
--
-- KEYS[1] conf
-- ARGV[1] channel for hints
-- Returns  { 'OK', 1 if it was paused before }
-- Errors   WRONGTYPE: nothing is written
-- Cost     1 write

local resumed = redis.call('HDEL', KEYS[1], 'paused')
if resumed == 1 then hint(ARGV[1], 0, nil, 0) end
return { 'OK', resumed }

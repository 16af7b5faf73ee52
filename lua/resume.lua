-- resume: the end of a pause.
--
-- KEYS[1] conf
-- ARGV    none
-- Returns  { 'OK', 1 if it was paused before }
-- Errors   WRONGTYPE: nothing is written
-- Cost     1 write

return { 'OK', redis.call('HDEL', KEYS[1], 'paused') }

-- pause: no consumer in any language is given jobs of this topic until resume.
--
-- KEYS[1] conf
-- ARGV    none
-- Returns  { 'OK', 1 if it was not paused before }
-- Errors   WRONGTYPE: nothing is written
-- Cost     1 write

return { 'OK', redis.call('HSETNX', KEYS[1], 'paused', 1) }

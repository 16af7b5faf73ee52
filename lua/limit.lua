-- limit: how many jobs per second all consumers of this topic together are given (a token bucket).
--
-- KEYS[1] conf
-- ARGV[1] jobs per second, or '' for no limit  [2] burst: jobs that may be given at once after a quiet time
--     [3] channel for hints
-- Returns  { 'OK' }
-- Errors   WRONGTYPE: nothing is written
-- Cost     1 write

if ARGV[1] == '' then
  redis.call('HDEL', KEYS[1], 'rate', 'burst', 'tokens', 'refilled_at')
else
  redis.call('HSET', KEYS[1], 'rate', ARGV[1], 'burst', ARGV[2], 'tokens', ARGV[2], 'refilled_at', text(now_ms()))
end
hint(ARGV[3], 0, nil, 0) -- what waited for the old limit may go on by the new one
return { 'OK' }

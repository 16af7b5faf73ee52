-- limit: how many jobs per second all consumers of this topic together are given (a token bucket).
--
-- KEYS[1] conf
-- ARGV[1] jobs per second, or '' for no limit  [2] burst: jobs that may be given at once after a quiet time
--     [3] channel for hints
-- Returns  { 'OK' }
-- Errors   WRONGTYPE: nothing is written
-- Cost     1 read + 1 write

local conf, rate, burst = KEYS[1], ARGV[1], ARGV[2]
if rate == '' then
  redis.call('HDEL', conf, 'rate', 'burst', 'tokens', 'refilled_at')
else
  -- A first limit begins with a full bucket. Another one takes over what is left in it: ten consumers that each set
  -- the limit as they start must not give ten bursts.
  local now = now_ms()
  local old_rate, old_burst, tokens, refilled_at =
    unpack(redis.call('HMGET', conf, 'rate', 'burst', 'tokens', 'refilled_at'))
  local level = tonumber(burst)
  if old_rate then level = math.min(level, bucket_level(old_rate, old_burst, tokens, refilled_at, now)) end
  level = string.format('%.17g', level)
  redis.call('HSET', conf, 'rate', rate, 'burst', burst, 'tokens', level, 'refilled_at', text(now))
end
hint(ARGV[3], 0, nil, 0) -- what waited for the old limit may go on by the new one
return { 'OK' }

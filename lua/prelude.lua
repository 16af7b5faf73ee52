-- Put in front of every script. One clock, one way to refuse, one way to count.

-- The last key never exists, and is of no use to a script. It makes a cluster refuse the script (TRYAGAIN) while
-- the topic's slot moves to another node: half of the topic is not there then, and a body that has not arrived
-- yet would pass for a missing one.
KEYS[#KEYS] = nil

-- Redis 6.2 with `lua-replicate-commands no` would refuse to write after TIME.
if redis.replicate_commands then redis.replicate_commands() end

-- 9999-12-31T23:59:59.999Z, the last due time; below 2^53, so exact as a score and as a Lua number.
local MAX_MS = 253402300799999

-- The Redis server's clock since the epoch, in microseconds and in ms; no client's clock decides anything.
local function now_us()
  local t = redis.call('TIME')
  return t[1] * 1000000 + t[2]
end

local function now_ms()
  return math.floor(now_us() / 1000)
end

-- A whole number as text. `..` and tostring() round to 14 digits, which year 9999 exceeds. Printing a number costs
-- as much as a small command, and so does a number as an argument of redis.call: print once what occurs often.
local texts = {}
local function text(n)
  local known = texts[n]
  if known then return known end
  known = string.format('%.0f', n)
  if n == n then texts[n] = known end
  return known
end

-- Raises Redis' own WRONGTYPE before the first write if `key` holds something else than a `kind`. Gives what it holds.
local function check_type(key, kind)
  local found = redis.call('TYPE', key).ok
  if found ~= kind and found ~= 'none' then
    redis.call(kind == 'zset' and 'ZCARD' or 'HLEN', key)
  end
  return found
end

-- Adds to lifetime counters; `counts` is field -> number, zeros are skipped. A counter that somebody has put
-- something else into must not fail a job on its way, so errors are left aside.
local function count(stats, counts)
  for field, n in pairs(counts) do
    if n > 0 then redis.pcall('HINCRBY', stats, field, n) end
  end
end

-- The time of the first job of an index, or none.
local function head(index)
  return tonumber(redis.call('ZRANGE', index, 0, 0, 'WITHSCORES')[2])
end

-- Tells those who wait for the topic that a job will be due earlier than what they know (`before`, what `head` was),
-- in so many microseconds. A hint: nobody may be listening, and an ACL may forbid it.
local function hint(channel, due, before, now)
  if not before or due < before then
    redis.pcall('PUBLISH', channel, text(math.max(due - now, 0) * 1000))
  end
end

-- Tells the workers of the topic that running jobs are not theirs any more. A hint, like the other.
local function tell_revoked(channel, ids)
  for _, id in ipairs(ids) do redis.pcall('PUBLISH', channel, '-' .. id) end
end

-- Lets a body live until `ttl` ms after `from` (0 = without limit).
local function keep_body(body, from, ttl)
  if ttl > 0 then
    redis.call('PEXPIREAT', body, text(from + ttl))
  else
    redis.call('PERSIST', body)
  end
end

-- The place of a duration in a histogram: exact below 16 ms, then eight steps to each doubling.
local function bucket(ms)
  ms = math.max(math.floor(ms), 0)
  if ms < 16 then return ms end
  local fraction, exponent = math.frexp(ms) -- ms = fraction * 2 ^ exponent, fraction from 0.5 to 1
  return 16 + (exponent - 5) * 8 + math.floor((fraction * 2 - 1) * 8)
end

-- Adds durations to a histogram: one field per place that occurs, `<name>:<place>`.
local function observe(stats, name, durations)
  local places, counts = {}, {}
  for _, ms in ipairs(durations) do
    local place = bucket(ms)
    places[place] = (places[place] or 0) + 1
  end
  for place, n in pairs(places) do counts[name .. ':' .. place] = n end
  count(stats, counts)
end

-- The tokens in the bucket of a limit, filled by the time since it was last touched; a clock that stepped back fills
-- nothing.
local function bucket_level(rate, burst, tokens, refilled_at, now)
  local elapsed = math.max(now - (tonumber(refilled_at) or now), 0)
  return math.min(tonumber(burst), (tonumber(tokens) or 0) + elapsed * tonumber(rate) / 1000)
end

-- How long the n-th retry waits, in ms, and how many retries there are. A policy is the text
-- `kind base_ms factor cap_ms jitter max_retries`; every step saturates at the cap.
--   exponential  base * factor ^ n      linear  base * n      fixed  base
-- The jitter spreads the wait evenly over wait * (1 - jitter) .. wait * (1 + jitter).
local function policy_delay(policy, n, random)
  local part = {}
  for word in string.gmatch(policy, '%S+') do part[#part + 1] = word end
  local kind, base, factor, cap, jitter = part[1], tonumber(part[2]), tonumber(part[3]), tonumber(part[4]), tonumber(part[5])
  local wait = base
  if kind == 'exponential' and base > 0 then wait = base * factor ^ n end
  if kind == 'linear' then wait = base * n end
  wait = math.min(wait, cap)
  wait = math.min(wait * (1 + jitter * (2 * random - 1)), cap)
  return math.floor(wait + 0.5), tonumber(part[6])
end

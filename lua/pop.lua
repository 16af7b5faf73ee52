-- pop: move due jobs to the processing index, each under a new receipt, and return them.
--
-- KEYS[1] scheduled  [2] processing  [3] orphan  [4] stats  [5] conf
--     Body keys are computed from the ids found (same slot, but undeclared for strict servers).
-- ARGV[1] body key prefix  [2] most jobs  [3] lease ms  [4] job_ttl ms (0 = none)  [5] nonce of this call
-- Returns  { 'OK', microseconds until it makes sense to look again if no job is returned (-1: nothing scheduled, or paused),
--            then per job: id, payload, retry_count, deliveries, created_at, due, lease deadline, receipt }
-- Errors   WRONGTYPE of an index: nothing is written. A body that is missing or no hash sends its id to
--          the orphan set instead, and so does an id that no enqueue can have written.
-- Cost     5 reads + 4 writes a call (one more with a limit), HMGET + HSET + PEXPIREAT a job. Ends early past
--          8 MiB of payloads.

local scheduled_key, processing_key, orphan_key, stats_key, conf_key = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local body_prefix, max, lease, job_ttl, nonce =
  ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4]), ARGV[5]
local MAX_BYTES = 8 * 1024 * 1024
local now_exact = now_us()
local now = math.floor(now_exact / 1000)
local deadline = math.min(now + lease, MAX_MS)

local function next_in()
  local first = head(scheduled_key)
  return first and math.max(first * 1000 - now_exact, 0) or -1
end

-- UTF-8 without NUL: what is neither ASCII nor the whole of one character is left over.
local CHARACTERS = {
  '[\194-\223][\128-\191]', '\224[\160-\191][\128-\191]', '\237[\128-\159][\128-\191]',
  '[\225-\236\238\239][\128-\191][\128-\191]', '\240[\144-\191][\128-\191][\128-\191]',
  '[\241-\243][\128-\191][\128-\191][\128-\191]', '\244[\128-\143][\128-\191][\128-\191]',
}

local function is_id(id)
  if not id:find('[%z\128-\255]') then return id ~= '' end
  for _, character in ipairs(CHARACTERS) do id = id:gsub(character, ' ') end
  return not id:find('[%z\128-\255]')
end

local function read_body(key)
  local found = redis.pcall('HMGET', key, 'payload', 'retry_count', 'deliveries', 'created_at')
  if found.err then
    if redis.call('TYPE', key).ok == 'hash' then return redis.call('HLEN', key) end -- raises the same error
    return {}
  end
  return found
end

local paused, rate, burst, tokens, refilled_at =
  unpack(redis.call('HMGET', conf_key, 'paused', 'rate', 'burst', 'tokens', 'refilled_at'))
if paused then return { 'OK', -1 } end
if rate then
  tokens = bucket_level(rate, burst, tokens, refilled_at, now)
  max = math.min(max, math.floor(tokens))
  if max < 1 then
    -- After a step back of the clock an empty bucket fills by the new time, instead of not before the old one.
    if (tonumber(refilled_at) or now) > now then redis.pcall('HSET', conf_key, 'refilled_at', text(now)) end
    local next_due = next_in()
    local next_token = math.ceil((1 - tokens) * 1000000 / tonumber(rate))
    return { 'OK', next_due < 0 and -1 or math.max(next_due, next_token, 1) }
  end
end

local due = redis.call('ZRANGEBYSCORE', scheduled_key, '-inf', now, 'WITHSCORES', 'LIMIT', 0, max)
if #due == 0 then return { 'OK', next_in() } end
check_type(processing_key, 'zset')
local seq = tonumber(redis.call('HGET', stats_key, 'delivered')) or 0 -- jobs delivered so far number the leases

local taken, jobs, orphans, bytes = {}, {}, {}, 0
for i = 1, #due, 2 do
  local id = due[i]
  local body = is_id(id) and read_body(body_prefix .. id) or {}
  taken[#taken + 1] = id
  if body[1] then
    jobs[#jobs + 1] = { id = id, due = tonumber(due[i + 1]), due_text = due[i + 1], body = body }
    bytes = bytes + #body[1]
    if bytes > MAX_BYTES then break end
  else
    orphans[#orphans + 1], orphans[#orphans + 2] = now, id
  end
end

if #orphans > 0 then check_type(orphan_key, 'zset') end

-- Redis checks its memory limit at a script's first write only. ZREM needs no memory, so a full server can
-- still be drained, and no later write of this script is refused.
redis.call('ZREM', scheduled_key, unpack(taken))
if #orphans > 0 then
  redis.call('ZADD', orphan_key, unpack(orphans))
  count(stats_key, { orphaned = #orphans / 2 })
end
if #jobs == 0 then return { 'OK', next_in() } end

local reply, leases, lateness = { 'OK', -1 }, {}, {}
local now_text, deadline_text = text(now), text(deadline)
local rest_of_receipt = '-' .. now_text .. '-' .. nonce
redis.call('HSET', stats_key, 'delivered', text(seq + #jobs))
for i, job in ipairs(jobs) do
  local payload, retries, deliveries, created = unpack(job.body)
  deliveries = (tonumber(deliveries) or 0) + 1
  local receipt = text(seq + i) .. rest_of_receipt
  local body, times = body_prefix .. job.id, deliveries == 1 and '1' or deliveries
  redis.call('HSET', body, 'deliveries', times, 'due_at', job.due_text, 'picked_at', now_text, 'lease', receipt)
  keep_body(body, deadline, job_ttl)
  leases[2 * i - 1], leases[2 * i] = deadline_text, job.id
  lateness[i] = now - job.due
  local r = #reply
  reply[r + 1], reply[r + 2], reply[r + 3], reply[r + 4] = job.id, payload, tonumber(retries) or 0, deliveries
  reply[r + 5], reply[r + 6], reply[r + 7], reply[r + 8] = tonumber(created) or 0, job.due, deadline, receipt
end
redis.call('ZADD', processing_key, unpack(leases))
if rate then
  redis.call('HSET', conf_key, 'tokens', string.format('%.17g', tokens - #jobs), 'refilled_at', text(now))
end
observe(stats_key, 'lateness', lateness)
return reply

-- extend: a new lease from now, under the same receipt; also the question "is it still mine?". One or many.
--
-- KEYS[1] processing
--     then per job: its body
-- ARGV[1] lease ms  [2] job_ttl ms (0 = none)
--     then per job: id, receipt
-- Returns  { 'OK', then per job: extended | lease_lost, lease deadline or -1 }
-- Errors   WRONGTYPE: nothing is written
-- Cost     2 reads + 1 write a call; HGET + PEXPIREAT a job

local processing_key = KEYS[1]
local lease, job_ttl = tonumber(ARGV[1]), tonumber(ARGV[2])
local deadline = math.min(now_ms() + lease, MAX_MS)

local ids = {}
for i = 1, #KEYS - 1 do ids[i] = ARGV[1 + 2 * i] end
local indexed = redis.call('ZMSCORE', processing_key, unpack(ids))
local reply, bodies, leases = { 'OK' }, {}, {}
for i, id in ipairs(ids) do
  local receipt, body = ARGV[2 + 2 * i], KEYS[1 + i]
  local held = indexed[i] and redis.call('HGET', body, 'lease') == receipt
  if held then
    bodies[#bodies + 1] = body
    leases[#leases + 1], leases[#leases + 2] = text(deadline), id
  end
  reply[#reply + 1], reply[#reply + 2] = held and 'extended' or 'lease_lost', held and deadline or -1
end
for _, body in ipairs(bodies) do keep_body(body, deadline, job_ttl) end
-- XX: the members are there already, so this needs no memory that a full server could refuse.
if #leases > 0 then redis.call('ZADD', processing_key, 'XX', unpack(leases)) end
return reply

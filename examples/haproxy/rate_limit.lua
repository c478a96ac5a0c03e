-- Asks Penstock about a request by its field X-User. Without an answer, or if Penstock fails, the request passes.

local STATE = { "ratelimit", "ratelimit-policy",
                "x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset" }
local DENIAL = { "retry-after", "content-type" }

-- Calls set(name, value) for those fields that the answer has. Values are counted from 0.
local function relay(headers, names, set)
  for _, name in ipairs(names) do
    if headers[name] then
      set(name, headers[name][0])
    end
  end
end

local function refuse(txn, answer)
  local reply = txn:reply({ status = answer.status, body = answer.body })
  local function set(name, value)
    reply:add_header(name, value)
  end
  relay(answer.headers, STATE, set)
  relay(answer.headers, DENIAL, set)
  txn:done(reply)
end

core.register_action("ask_rate_limit", { "http-req" }, function(txn, url)
  txn:set_priv({})
  local user = txn.f:req_fhdr("x-user")
  if not user then
    return
  end
  local answer = core.httpclient():get({ url = url, headers = { ["x-user"] = { user } }, timeout = 250 })
  local status = answer and answer.status or 0
  if status >= 400 and status < 500 then
    -- Denied, or a question that cannot be asked, as about too long a field: passing would be no limit.
    refuse(txn, answer)
  elseif status == 200 then
    txn:set_priv(answer.headers)
  end
end, 1)

core.register_action("tell_rate_limit", { "http-res" }, function(txn)
  relay(txn:get_priv() or {}, STATE, function(name, value)
    txn.http:res_set_header(name, value)
  end)
end, 0)

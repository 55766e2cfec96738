local store = require("shop.store")
local M = {}

-- How many. At most.
M.limit = 10
local count, rest = 0, nil
registry = {}

--- Sums it up. With taxes.
function M.total(order, ...)
  local sum = 0
  for index, line in ipairs(order.lines) do
    sum = sum + line:price(index)
  end
  for step = 1, M.limit do count = count + step end
  return store.save "total()" or fallback { sum }
end

function M:close(reason)
  self.reason = reason
end

local function helper(value)
  return M.total(value)
end

M.reopen = function(order) return helper(order) end

local actions = {
  run = function(name) return name end,
  label = "run()",
}

return M

local near = require "shop.near".find
M["run"] = near
goto done
::done::

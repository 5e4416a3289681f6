-- Run by a headless Neovim: opens `old.py`, waits for findings, takes the quick fix, types the mistake again
-- and writes the file. Prints a JSON object with what it saw.
local seen = {}

local function findings(count)
  local found
  local ok = vim.wait(20000, function()
    found = vim.diagnostic.get(0)
    return #found == count
  end, 50)
  if not ok then
    error(("%d findings instead of %d"):format(#found, count))
  end
  return found
end

local function run()
  dofile(vim.env.JAXLINT_SETUP)
  vim.cmd.edit("old.py")
  local found = findings(1)[1]
  seen.first = { code = found.code, source = found.source, row = found.lnum + 1, column = found.col + 1 }

  vim.api.nvim_win_set_cursor(0, { found.lnum + 1, 0 }) -- the line, not the finding
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      return action.isPreferred
    end,
  })
  findings(0)
  seen.repaired = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")

  vim.api.nvim_buf_set_lines(0, -1, -1, false, { "y = '\u{1F600}', jax.tree_map(abs, [1])" })
  seen.typed = findings(1)[1].col + 1
  vim.cmd.write()
  seen.clients = vim.tbl_map(function(client)
    return client.name
  end, vim.lsp.get_clients({ bufnr = 0 }))
end

local ok, problem = pcall(run)
seen.problem = not ok and tostring(problem) or nil
io.stdout:write(vim.json.encode(seen))
vim.cmd(ok and "qall!" or "cquit!")

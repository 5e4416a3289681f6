-- jaxlint for nvim-lint: lints the buffer, saved or not, within its project.
local severities = {
  error = vim.diagnostic.severity.ERROR,
  warning = vim.diagnostic.severity.WARN,
  info = vim.diagnostic.severity.INFO,
}

-- JSON null is a userdata value, which is true in Lua.
local function given(value)
  return value ~= nil and value ~= vim.NIL
end

-- jaxlint counts characters, Neovim counts bytes.
local function byte_column(bufnr, place)
  local line = vim.api.nvim_buf_get_lines(bufnr, place.row - 1, place.row, false)[1] or ""
  local column = vim.fn.byteidx(line, place.column - 1)
  return column < 0 and #line or column
end

local lint = require("lint")

lint.linters.jaxlint = function()
  return {
    cmd = "jaxlint",
    stdin = true,
    args = { "check", "-", "--stdin-filename", vim.api.nvim_buf_get_name(0), "--output-format", "json" },
    stream = "stdout",
    ignore_exitcode = true,
    parser = function(output, bufnr)
      if output == "" then
        return {}
      end
      local diagnostics = {}
      for _, found in ipairs(vim.json.decode(output)) do
        local message = found.message
        if given(found.help) then
          message = message .. "\n" .. found.help
        end
        table.insert(diagnostics, {
          lnum = found.location.row - 1,
          col = byte_column(bufnr, found.location),
          end_lnum = found.end_location.row - 1,
          end_col = byte_column(bufnr, found.end_location),
          severity = severities[found.severity],
          code = found.code,
          source = "jaxlint",
          message = message,
        })
      end
      return diagnostics
    end,
  }
end

vim.api.nvim_create_autocmd({ "BufEnter", "BufWritePost", "InsertLeave" }, {
  pattern = { "*.py", "*.pyi" },
  callback = function()
    lint.try_lint("jaxlint")
  end,
})

vim.lsp.config("jaxlint", {
  cmd = { "jaxlint", "server" },
  filetypes = { "python" },
  root_markers = { "jaxlint.toml", ".jaxlint.toml", "pyproject.toml", ".git" },
})
vim.lsp.enable("jaxlint")
vim.diagnostic.config({ virtual_text = true }) -- the message beside the line; else only a sign stands there

-- All safe fixes before a file is written. Leave this out to choose them with `gra`.
vim.api.nvim_create_autocmd("BufWritePre", {
  pattern = "*.py",
  callback = function(event)
    local client = vim.lsp.get_clients({ bufnr = event.buf, name = "jaxlint" })[1]
    if client == nil then
      return
    end
    local asked = vim.lsp.util.make_range_params(0, client.offset_encoding)
    asked.context = { only = { "source.fixAll.jaxlint" }, diagnostics = {} }
    local answer = client:request_sync("textDocument/codeAction", asked, 2000, event.buf)
    for _, action in ipairs(answer and answer.result or {}) do
      local resolved = client:request_sync("codeAction/resolve", action, 2000, event.buf)
      if resolved and resolved.result and resolved.result.edit then
        vim.lsp.util.apply_workspace_edit(resolved.result.edit, client.offset_encoding)
      end
    end
  end,
})

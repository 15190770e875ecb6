local function till(what, check)
  assert(vim.wait(60000, check, 50), "never: " .. what)
end
local client = nil
vim.cmd("edit " .. vim.env.PINE_FILE)
till("client", function()
  client = vim.lsp.get_active_clients()[1]
  return client ~= nil and client.initialized
end)
local function tell(name, value) io.stdout:write(vim.fn.json_encode({ name, value }) .. "\n") end
local function ask(method, more)
  local params = vim.tbl_extend("force", vim.lsp.util.make_position_params(0, client.offset_encoding), more or {})
  local answer = client.request_sync(method, params, 60000, 0)
  assert(answer and not answer.err, vim.inspect(answer))
  return answer.result
end
tell("filetype", vim.bo.filetype)
tell("settings", { vim.bo.commentstring, vim.bo.expandtab, vim.bo.tabstop, vim.bo.shiftwidth, vim.bo.textwidth })
till("findings", function() return #vim.diagnostic.get(0) > 0 end)
tell("finding", vim.diagnostic.get(0)[1].message)
vim.api.nvim_win_set_cursor(0, { 4, 9 })
tell("hover", ask("textDocument/hover").contents.value)
local labels = vim.tbl_map(function(item) return item.label end, ask("textDocument/completion").items)
tell("completion", labels)
tell("lenses", vim.tbl_map(function(lens) return lens.command.title end, ask("textDocument/codeLens")))
tell("colours", vim.tbl_map(function(each) return each.color.red end, ask("textDocument/documentColor")))
local whole = { start = { line = 0, character = 0 }, ["end"] = { line = 4, character = 0 } }
local stopped = { frameId = 1, stoppedLocation = whole }
tell("values", vim.tbl_map(function(each) return each.text end, ask("textDocument/inlineValue", { range = whole, context = stopped })))
vim.api.nvim_win_set_cursor(0, { 4, 1 })
vim.lsp.buf.rename("quick")
till("renaming", function() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n"):find("plot%(quick") end)
if vim.lsp.buf.format then vim.lsp.buf.format({ timeout_ms = 60000 }) else vim.lsp.buf.formatting_sync(nil, 60000) end
tell("text", table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n") .. "\n")
local indented = {}
for _, line in ipairs(vim.fn.json_decode(vim.env.PINE_LINES)) do
  vim.api.nvim_buf_set_lines(0, 0, -1, true, { line })
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes("A<CR>x<Esc>", true, false, true), "x", false)
  indented[line] = #vim.api.nvim_buf_get_lines(0, 1, 2, true)[1] - 1
end
tell("indented", indented)
vim.api.nvim_buf_set_lines(0, 0, -1, true, { "if a", "    if b", "        x := 1", "    else", "        x := 2", "else", "    x := 3", "y = 1" })
local before = vim.api.nvim_buf_get_lines(0, 0, -1, true)
vim.cmd("normal! gg=G")
tell("unmoved", vim.deep_equal(before, vim.api.nvim_buf_get_lines(0, 0, -1, true)))
vim.api.nvim_buf_set_lines(0, 0, -1, true, { "if a" })
vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes("ggA<CR>x := 1<CR>else<CR>x := 2<Esc>ox<Esc>", true, false, true), "x", false)
tell("else", table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n"))
vim.cmd("qa!")

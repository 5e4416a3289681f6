" Run by `vim -es`: opens `old.py` and waits for findings of ALE. Writes a JSON object with what it saw.
set nocompatible hidden
filetype plugin on
let g:ale_linters = {'python': ['jaxlint']}
let g:ale_lint_delay = 0
packadd ale
source $JAXLINT_SETUP
edit old.py
set filetype=python
ALELint
let s:count = 0
while s:count < 200 && empty(ale#engine#GetLoclist(bufnr()))
  sleep 100m
  let s:count += 1
endwhile
call writefile([json_encode(ale#engine#GetLoclist(bufnr()))], $JAXLINT_REPORT)
qall!

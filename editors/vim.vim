call ale#linter#Define('python', {
\   'name': 'jaxlint',
\   'lsp': 'stdio',
\   'executable': 'jaxlint',
\   'command': '%e server',
\   'project_root': function('ale#python#FindProjectRoot'),
\})

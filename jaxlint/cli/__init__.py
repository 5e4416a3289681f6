"""The command line: one module a command, the output formats in a folder of their own."""

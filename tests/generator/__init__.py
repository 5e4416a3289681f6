"""Programs drawn at random whose truth is settled by running them under JAX.

`sample` draws specifications, `program` writes each one as a small project,
`oracle` runs it, `verdict` compares what happened with what jaxlint says, and
`report` prints both. `python -m tests.generator` explores from a shell.
"""

"""How the tables of library facts under `jaxlint/engine/api` are found by running the libraries."""

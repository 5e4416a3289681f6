"""How the tables of library facts under `jaxlint/tables` are found by running the libraries."""

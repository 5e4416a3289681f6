"""Abstract values and what is known beside them: joins, keys, the program's modules."""

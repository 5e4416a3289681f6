"""What `vmap` and its like make of their arguments and results, axis by axis."""

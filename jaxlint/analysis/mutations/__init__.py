"""Changes of what outlives a call, made in traced code."""

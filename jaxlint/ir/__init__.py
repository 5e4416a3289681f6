"""A file as plain data: lowering, codec, and what can be asked of it without knowing any value."""

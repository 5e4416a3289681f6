"""What calls of libraries and of Python's own functions do to values."""

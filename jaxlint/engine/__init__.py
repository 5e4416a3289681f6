"""What a file means, and what happens in it: from bytes to diagnostics."""

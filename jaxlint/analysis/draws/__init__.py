"""What the text says of two draws from one key: whether they are meant to be alike, or nobody sees that."""

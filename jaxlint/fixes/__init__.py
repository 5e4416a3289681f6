"""Edits of source text, and what they need to know of the text around them."""

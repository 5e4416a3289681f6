"""Copies that are changed: what only gives back one, and changes of one that nothing reads."""

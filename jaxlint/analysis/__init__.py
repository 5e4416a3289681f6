"""What happens when a program runs: statements, calls, transforms, keys, traces; and events for rules."""

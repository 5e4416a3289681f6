"""What is compiled, and compiled again: functions that are made anew, caches that are cleared."""

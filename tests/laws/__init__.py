"""Properties that hold for every program: what is found depends on the program alone, not on what was kept of
earlier runs, on the order of files and definitions, or on hash seeds."""

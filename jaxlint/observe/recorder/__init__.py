"""The recorder, which runs in the user's program: standard library only, from Python 3.9 on."""

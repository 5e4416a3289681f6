"""A module with a variable that only a function sets."""


def start():
    global CACHE
    CACHE = 1

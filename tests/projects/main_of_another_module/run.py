"""`main` of another module runs once, as it is called here, and not as a script of its own besides."""

import train as training


def start():
    training.main(3.0)


start()

"""Settings of the model; some change while it runs."""

TEMPERATURE = 1.0
SMOOTHING = 0.1
CLIP = 10.0


def set_smoothing(value):
    global SMOOTHING
    SMOOTHING = value

"""A wrapper around jit in a compat module stages what it decorates: effects inside run once; effects of a wrapper outside run at each call."""

import steps

if __name__ == "__main__":
    w = 1.0
    for _ in range(3):
        w = steps.plain_step(w)
        w = steps.report_step(w, mode="train")
        w = steps.counted_step(w)
    print(w, steps.step_count, steps.counted_step.calls)

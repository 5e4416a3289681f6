"""A factory of another module that is called at every pass compiles at every pass; one that is cached, or called once before the loop, does not, and neither does jit of an imported function."""

import jax

from factories import make_loss, make_power, make_update, relu

if __name__ == "__main__":
    loss = make_loss(2.0)
    w = 1.0
    for step in range(4):
        w = make_update(0.1)(w, 1.0)
        w = w + make_power(step % 2)(w) * 0.0
        w = jax.jit(relu)(w) + 0.0 * loss(w)
    print(w)

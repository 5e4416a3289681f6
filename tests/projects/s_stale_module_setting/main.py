"""A setting of one module is read by compiled code of a second and changed by a third; what is set before the first call, or copied by a from-import, is not stale."""

import jax.numpy as jnp

import model
import settings

if __name__ == "__main__":
    settings.set_smoothing(0.2)
    print(model.smooth(jnp.eye(2)[0]))

    logits = jnp.arange(3.0)
    first = model.predict(logits), model.eager_scale(logits)
    settings.TEMPERATURE = 100.0
    print(first, model.predict(logits), model.eager_scale(logits))

    print(model.clipped(50.0))
    settings.SHOWN = True
    print(model.clipped(50.0))

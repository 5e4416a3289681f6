import jax


class Trainer:
    def __init__(self, loss, rate=0.01):
        self.loss = loss
        self.rate = rate
        self._step = jax.jit(self._make_step())

    def _make_step(self):
        gradient = jax.value_and_grad(self.loss)
        rate = self.rate

        def step(weights, batch):
            value, slope = gradient(weights, batch)
            return weights - rate * slope, value

        return step

    def fit(self, weights, batches):
        for batch in batches:
            weights, value = self._step(weights, batch)
            if value > 1e6:
                raise FloatingPointError("diverged")
        return weights

"""A base class compiles a bound method that a subclass overrides; a callback of a third module changes what it read. The rate, which only eager code reads, may change."""

from callbacks import LearningRate, relax_penalty
from models import Lasso

if __name__ == "__main__":
    model = Lasso(0.0, penalty=1.0)
    print(model.fit(3, callbacks=[LearningRate(0.9), relax_penalty]))

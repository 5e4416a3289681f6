"""Callbacks of the training loop: they may set anything on the trainer."""


class LearningRate:
    def __init__(self, factor):
        self.factor = factor

    def __call__(self, trainer, step):
        trainer.lr = trainer.lr * self.factor


def relax_penalty(trainer, step):
    trainer.penalty = trainer.penalty * 0.1

import agents


def soften(logits):
    return logits / agents.temperature(logits)


def regularise(logits):
    from agents import entropy_bonus

    return logits + entropy_bonus(logits)

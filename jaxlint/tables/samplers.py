"""What samplers of blackjax give: the fields of their states and of what they say of a step.

A field is `array`, one array; `tree`, of the structure of the position; `?`, something else. The first field
of a state is the position. tests/test_framework_table.py runs each of them.
"""

from __future__ import annotations

Fields = dict[str, str]

_HAMILTONIAN: Fields = {"position": "tree", "logdensity": "array", "logdensity_grad": "tree"}
# sampler -> the name and the fields of its state, and of what there is to say of a step
STATES: dict[str, tuple[tuple[str, Fields], tuple[str, Fields]]] = {
    "hmc": (
        ("HMCState", _HAMILTONIAN),
        (
            "HMCInfo",
            {
                "momentum": "tree",
                "acceptance_rate": "array",
                "is_accepted": "array",
                "is_divergent": "array",
                "energy": "array",
                "proposal": "?",
                "num_integration_steps": "?",  # as it was given
            },
        ),
    ),
    "nuts": (
        ("HMCState", _HAMILTONIAN),
        (
            "NUTSInfo",
            {
                "momentum": "tree",
                "is_divergent": "array",
                "is_turning": "array",
                "energy": "array",
                "trajectory_leftmost_state": "?",
                "trajectory_rightmost_state": "?",
                "num_trajectory_expansions": "array",
                "num_integration_steps": "array",
                "acceptance_rate": "array",
            },
        ),
    ),
    "mala": (
        ("MALAState", _HAMILTONIAN),
        ("MALAInfo", {"acceptance_rate": "array", "is_accepted": "array"}),
    ),
    "rmh": (
        ("RWState", {"position": "tree", "logdensity": "array"}),
        ("RWInfo", {"acceptance_rate": "array", "is_accepted": "array", "proposal": "?"}),
    ),
}

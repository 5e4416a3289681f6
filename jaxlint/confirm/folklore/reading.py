"""Statements that no program decides: advice, judgements, and pointers to something to read."""

from __future__ import annotations

from jaxlint.confirm.folklore.entry import Folklore

ENTRIES = (
    Folklore(
        10,
        "vmap-outermost-is-easier-to-write",
        "With vmap in the outermost layer, code is easier to write.",
        "notes 000 and 001, patterns",
        "not-executable",
        "A judgement about writing.",
    ),
    Folklore(
        16,
        "pytrees-are-worth-understanding",
        "Understanding pytrees is really helpful.",
        "notes 000 and 001, other things",
        "not-executable",
        "Advice, with a pointer to the documentation.",
    ),
    Folklore(
        17,
        "the-sharp-bits-are-difficult",
        "The page of common gotchas has the other difficult matters.",
        "notes 000 and 001, other things",
        "not-executable",
        "A pointer to the documentation; what that page says is found under the rules.",
    ),
    Folklore(
        28,
        "why-jax-is-fast",
        "There is a discussion of why JAX is so fast.",
        "notes 000 and 001, links",
        "not-executable",
        "A pointer to a discussion, with no statement of its own.",
    ),
    Folklore(
        32,
        "a-library-for-pytree-classes",
        "A small library helps in making pytree classes.",
        "notes 000 and 001, links",
        "not-executable",
        "It is about a library that is neither JAX nor needed for it.",
    ),
    Folklore(
        52,
        "error-messages-worse-than-rust",
        "JAX's error messages are worse than those of Rust.",
        "note 002, differences to NumPy",
        "not-executable",
        "A judgement, of two things that cannot be run side by side.",
    ),
)

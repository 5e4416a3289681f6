# %% `_` under range is given a name
import jax

key = jax.random.key(0)
draws = []
for _ in range(3):
    draws.append(jax.random.normal(key))
assert len(draws) == 3

# %% ->
import jax

key = jax.random.key(0)
draws = []
for step in range(3):
    draws.append(jax.random.normal(jax.random.fold_in(key, step)))
assert len(draws) == 3

# %% the name `step` is taken
import jax

step = 3
key = jax.random.key(0)
draws = {float(jax.random.normal(key)) for _ in range(step)}
assert len(draws) == 3

# %% ->
import jax

step = 3
key = jax.random.key(0)
draws = {float(jax.random.normal(jax.random.fold_in(key, step_2))) for step_2 in range(step)}
assert len(draws) == 3

# %% the counter of a range, and a key that is split
from jax import random

key = random.key(1)
draws = set()
for step in range(2, 5):
    _, sub = random.split(key)
    draws.add(float(random.normal(sub)))
assert len(draws) == 3

# %% ->
from jax import random

key = random.key(1)
draws = set()
for step in range(2, 5):
    _, sub = random.split(random.fold_in(key, step))
    draws.add(float(random.normal(sub)))
assert len(draws) == 3

# %% enumerate inside a loop that splits a key in every iteration: the inner counter is enough
import jax
import jax.numpy as jnp


def run(key, epochs, batches):
    draws = set()
    for epoch in range(epochs):
        key, epoch_key = jax.random.split(key)
        for number, batch in enumerate(batches, 1):
            draws.add(float(jax.random.normal(epoch_key)))
    return draws


assert len(run(jax.random.key(0), 2, [jnp.ones(3), jnp.zeros(3)])) == 4

# %% ->
import jax
import jax.numpy as jnp


def run(key, epochs, batches):
    draws = set()
    for epoch in range(epochs):
        key, epoch_key = jax.random.split(key)
        for number, batch in enumerate(batches, 1):
            draws.add(float(jax.random.normal(jax.random.fold_in(epoch_key, number))))
    return draws


assert len(run(jax.random.key(0), 2, [jnp.ones(3), jnp.zeros(3)])) == 4

# %% two loops around one key: both counters
import jax


def table(key, rows, columns):
    found = []
    for _ in range(rows):
        for _ in range(columns):
            found.append(float(jax.random.normal(key)))
    return found


assert len(set(table(jax.random.key(0), 2, 3))) == 6

# %% ->
import jax


def table(key, rows, columns):
    found = []
    for step in range(rows):
        for step_2 in range(columns):
            found.append(float(jax.random.normal(jax.random.fold_in(jax.random.fold_in(key, step), step_2))))
    return found


assert len(set(table(jax.random.key(0), 2, 3))) == 6

# %% clauses of a comprehension
import jax

key = jax.random.key(0)
draws = {(i, j): float(jax.random.normal(key)) for i in range(3) for j, _ in enumerate("ab")}
assert len(set(draws.values())) == 6

# %% ->
import jax

key = jax.random.key(0)
draws = {(i, j): float(jax.random.normal(jax.random.fold_in(jax.random.fold_in(key, i), j))) for i in range(3) for j, _ in enumerate("ab")}
assert len(set(draws.values())) == 6

# %% the index of a fori_loop's body, a lambda
import jax
from jax import lax

key = jax.random.key(0)
total = lax.fori_loop(0, 4, lambda i, acc: acc + jax.random.uniform(key), 0.0)
assert 0 < total < 4

# %% ->
import jax
from jax import lax

key = jax.random.key(0)
total = lax.fori_loop(0, 4, lambda i, acc: acc + jax.random.uniform(jax.random.fold_in(key, i)), 0.0)
assert 0 < total < 4

# %% a function that is the body of a fori_loop, under a loop of Python
import jax

key = jax.random.key(0)
x = 0.0


def body(_, x):
    return x + jax.random.normal(key)


for epoch in range(3):
    x = jax.lax.fori_loop(0, 3, body, x)

# %% ->
import jax

key = jax.random.key(0)
x = 0.0


def body(step, x):
    return x + jax.random.normal(jax.random.fold_in(jax.random.fold_in(key, epoch), step))


for epoch in range(3):
    x = jax.lax.fori_loop(0, 3, body, x)

# %% a key among the keys of a dict, given to a function of the project
import jax


def apply(w, rngs):
    return w + jax.random.normal(rngs["dropout"])


key = jax.random.key(0)
w = 1.0
for i in range(3):
    w = apply(w, rngs={"dropout": key})
assert w != 1.0

# %% ->
import jax


def apply(w, rngs):
    return w + jax.random.normal(rngs["dropout"])


key = jax.random.key(0)
w = 1.0
for i in range(3):
    w = apply(w, rngs={"dropout": jax.random.fold_in(key, i)})
assert w != 1.0

# %% by keyword
import jax


def apply(w, key):
    return w + jax.random.normal(key)


key = jax.random.key(0)
w = 1.0
for i in range(3):
    w = apply(w, key=key)  # noise
assert w != 1.0

# %% ->
import jax


def apply(w, key):
    return w + jax.random.normal(key)


key = jax.random.key(0)
w = 1.0
for i in range(3):
    w = apply(w, key=jax.random.fold_in(key, i))  # noise
assert w != 1.0

# %% no counter in sight
import jax

key = jax.random.key(0)
draws = [jax.random.normal(key, (n,)) for n in (2, 3, 4)]

# %% no counter in the loop around
import jax


def table(key, rows, names):
    found = []
    for name in names:
        for row in range(rows):
            found.append(jax.random.normal(key))
    return found


table(jax.random.key(0), 2, "ab")

# %% a while loop counts in a way that is not looked into
import jax

key = jax.random.key(7)
count = 0
while count < 3:
    proposal = jax.random.uniform(key)
    count += 1

# %% a loop in the body of a scan, which hands on the same key
import jax


def walk(key, n):
    def step(carry, _):
        x, key = carry
        for i in range(2):
            x = x + jax.random.normal(key)
        return (x, key), x

    return jax.lax.scan(step, (0.0, key), None, length=n)


walk(jax.random.key(0), 3)

# %% two loops over one key would fold the same numbers in
import jax

key = jax.random.key(0)
a = [jax.random.normal(key) for i in range(3)]
b = [jax.random.uniform(key) for i in range(3)]

# %% the key is folded elsewhere too
import jax

key = jax.random.key(0)
for i in range(3):
    a = jax.random.normal(jax.random.fold_in(key, i))
    b = jax.random.uniform(key)

# %% a counter that begins below zero
import jax

key = jax.random.key(0)
draws = [jax.random.normal(key) for i in range(-3, 1)]

# %% a counter that the loop changes
import jax

key = jax.random.key(0)
for i in range(3):
    i = 0
    print(jax.random.normal(key))

# %% `_` that is read
import jax

key = jax.random.key(0)
for _ in range(3):
    print(jax.random.normal(key), _)

# %% an array of keys, of which the loop should take one
import jax

keys = jax.random.split(jax.random.key(0), 3)
for i in range(3):
    print(jax.random.normal(keys[0]))

# %% an array of keys for a mapped function
import jax

keys = jax.random.split(jax.random.key(0), 3)
for i in range(3):
    print(jax.vmap(jax.random.normal)(keys))

# %% a key that each call of the function would find again
import jax

KEY = jax.random.key(0)


def draws():
    return [jax.random.normal(KEY) for i in range(3)]


draws()

# %% a function that is called when the loop has gone on
import jax

key = jax.random.key(0)
later = []
for i in range(3):
    later.append((lambda: jax.random.normal(key))())

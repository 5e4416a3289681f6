"""What functions do with random keys.

Made by `python tests/derive_api.py --write`, which runs JAX; not edited by hand. The roles are those of JAX's own checker of key reuse.

KEYS: canonical name -> (role, parameter that is the key)
  source  makes a key
  spend   a second use of the same key is wrong
  split   the same, and the result is new keys
  fold    makes a new key from a key and a number, and does not spend the key
  clone   makes a copy that may be used again
  read    neither spends nor makes a key
SEQUENCES: two uses of one key, in this order -> whether JAX's checker refuses the second
INITIALIZERS: function that makes an initializer -> whether that one draws with the key it is given
DIRECT: sampler -> whether its numbers are made of the bits of the key itself, and not of a split of it
VERSIONS: the versions that the tables were made with, the newest first
OTHERWISE: version -> table -> the rows that this version has otherwise; None where it lacks the name
"""

# fmt: off
# ruff: noqa: E501

VERSIONS: tuple[dict[str, str], ...] = (
    {"jax": "0.12.0.1"},
    {"jax": "0.10.2"},
)

KEYS: dict[str, tuple[str, str]] = {
    "jax.experimental.sparse.random_bcoo": ("spend", "key"),
    "jax.nn.initializers.Initializer": ("spend", "key"),
    "jax.nn.initializers.ones": ("read", "key"),
    "jax.nn.initializers.zeros": ("read", "key"),
    "jax.random.PRNGKey": ("source", ""),
    "jax.random.ball": ("spend", "key"),
    "jax.random.bernoulli": ("spend", "key"),
    "jax.random.beta": ("spend", "key"),
    "jax.random.binomial": ("spend", "key"),
    "jax.random.bits": ("spend", "key"),
    "jax.random.categorical": ("spend", "key"),
    "jax.random.cauchy": ("spend", "key"),
    "jax.random.chisquare": ("spend", "key"),
    "jax.random.choice": ("spend", "key"),
    "jax.random.clone": ("clone", "key"),
    "jax.random.dirichlet": ("spend", "key"),
    "jax.random.double_sided_maxwell": ("spend", "key"),
    "jax.random.exponential": ("spend", "key"),
    "jax.random.f": ("spend", "key"),
    "jax.random.fold_in": ("fold", "key"),
    "jax.random.gamma": ("spend", "key"),
    "jax.random.generalized_normal": ("spend", "key"),
    "jax.random.geometric": ("spend", "key"),
    "jax.random.gumbel": ("spend", "key"),
    "jax.random.key": ("source", ""),
    "jax.random.key_data": ("read", "keys"),
    "jax.random.key_impl": ("read", "keys"),
    "jax.random.laplace": ("spend", "key"),
    "jax.random.loggamma": ("spend", "key"),
    "jax.random.logistic": ("spend", "key"),
    "jax.random.lognormal": ("spend", "key"),
    "jax.random.maxwell": ("spend", "key"),
    "jax.random.multinomial": ("spend", "key"),
    "jax.random.multivariate_normal": ("spend", "key"),
    "jax.random.normal": ("spend", "key"),
    "jax.random.orthogonal": ("spend", "key"),
    "jax.random.pareto": ("spend", "key"),
    "jax.random.permutation": ("spend", "key"),
    "jax.random.poisson": ("spend", "key"),
    "jax.random.rademacher": ("spend", "key"),
    "jax.random.randint": ("spend", "key"),
    "jax.random.rayleigh": ("spend", "key"),
    "jax.random.split": ("split", "key"),
    "jax.random.t": ("spend", "key"),
    "jax.random.triangular": ("spend", "key"),
    "jax.random.truncated_normal": ("spend", "key"),
    "jax.random.uniform": ("spend", "key"),
    "jax.random.wald": ("spend", "key"),
    "jax.random.weibull_min": ("spend", "key"),
    "jax.random.wrap_key_data": ("source", ""),
}

SEQUENCES: dict[str, bool] = {
    "fold, fold": False,
    "fold, read": False,
    "fold, spend": False,
    "fold, spend clone": False,
    "fold, spend fold": False,
    "fold, split": False,
    "read, fold": False,
    "read, read": False,
    "read, spend": False,
    "read, spend clone": False,
    "read, spend fold": False,
    "read, split": False,
    "spend all of split, spend split[0]": True,
    "spend clone, fold": False,
    "spend clone, read": False,
    "spend clone, spend": False,
    "spend clone, spend clone": False,
    "spend clone, spend fold": False,
    "spend clone, split": False,
    "spend fold, fold": False,
    "spend fold, read": False,
    "spend fold, spend": False,
    "spend fold, spend clone": False,
    "spend fold, spend fold": False,
    "spend fold, split": False,
    "spend split[0], spend split[0]": True,
    "spend split[0], spend split[1]": False,
    "spend, fold": False,
    "spend, read": False,
    "spend, spend": True,
    "spend, spend clone": False,
    "spend, spend fold": False,
    "spend, split": True,
    "split, fold": False,
    "split, read": False,
    "split, spend": True,
    "split, spend clone": False,
    "split, spend fold": False,
    "split, split": True,
}

INITIALIZERS: dict[str, bool] = {
    "jax.nn.initializers.constant": False,
    "jax.nn.initializers.delta_orthogonal": True,
    "jax.nn.initializers.glorot_normal": True,
    "jax.nn.initializers.glorot_uniform": True,
    "jax.nn.initializers.he_normal": True,
    "jax.nn.initializers.he_uniform": True,
    "jax.nn.initializers.lecun_normal": True,
    "jax.nn.initializers.lecun_uniform": True,
    "jax.nn.initializers.normal": True,
    "jax.nn.initializers.orthogonal": True,
    "jax.nn.initializers.truncated_normal": True,
    "jax.nn.initializers.uniform": True,
    "jax.nn.initializers.variance_scaling": True,
}

DIRECT: dict[str, bool] = {
    "jax.random.ball": False,
    "jax.random.bernoulli": True,
    "jax.random.beta": False,
    "jax.random.binomial": False,
    "jax.random.bits": True,
    "jax.random.categorical": True,
    "jax.random.cauchy": True,
    "jax.random.chisquare": False,
    "jax.random.choice": False,
    "jax.random.dirichlet": False,
    "jax.random.double_sided_maxwell": False,
    "jax.random.exponential": True,
    "jax.random.f": False,
    "jax.random.gamma": False,
    "jax.random.generalized_normal": False,
    "jax.random.geometric": True,
    "jax.random.gumbel": True,
    "jax.random.laplace": True,
    "jax.random.loggamma": False,
    "jax.random.logistic": True,
    "jax.random.lognormal": True,
    "jax.random.maxwell": True,
    "jax.random.multinomial": False,
    "jax.random.multivariate_normal": True,
    "jax.random.normal": True,
    "jax.random.orthogonal": True,
    "jax.random.pareto": True,
    "jax.random.permutation": False,
    "jax.random.poisson": False,
    "jax.random.rademacher": True,
    "jax.random.randint": False,
    "jax.random.rayleigh": True,
    "jax.random.t": False,
    "jax.random.triangular": True,
    "jax.random.truncated_normal": True,
    "jax.random.uniform": True,
    "jax.random.wald": False,
    "jax.random.weibull_min": True,
}

OTHERWISE: dict[str, dict[str, dict[str, object]]] = {
    "jax 0.12.0.1": {
    },
    "jax 0.10.2": {
    },
}

"""What functions and layers of frameworks give back where they are called, by name.

tests/test_framework_table.py runs each of them in jit. Values are not its business.
"""

from __future__ import annotations


def _named(prefix: str, names: str) -> frozenset[str]:
    return frozenset(f"{prefix}.{name}" for name in names.split())


# functions of arrays that give one array: activations, losses, norms
ARRAYS = (
    _named(
        "flax.linen",
        "avg_pool celu elu gelu glu hard_sigmoid hard_silu hard_swish hard_tanh leaky_relu log_sigmoid "
        "log_softmax logsumexp max_pool relu relu6 selu sigmoid silu soft_sign softmax softplus swish tanh",
    )
    | _named(
        "flax.nnx",
        "avg_pool celu elu gelu glu hard_sigmoid hard_silu hard_swish hard_tanh leaky_relu log_sigmoid "
        "log_softmax logsumexp max_pool relu relu6 selu sigmoid silu soft_sign softmax softplus swish tanh",
    )
    | _named(
        "optax",
        "global_norm l2_loss squared_error huber_loss log_cosh softmax_cross_entropy hinge_loss "
        "softmax_cross_entropy_with_integer_labels sigmoid_binary_cross_entropy cosine_similarity "
        "cosine_distance smooth_labels kl_divergence",
    )
    | _named("haiku", "avg_pool max_pool one_hot")
)
# what makes a layer: an object that gives one array for the arrays it is called with
LAYERS = (
    _named(
        "flax.linen",
        "BatchNorm Conv ConvLocal ConvTranspose Dense DenseGeneral Einsum Embed GroupNorm InstanceNorm "
        "LayerNorm MultiHeadAttention MultiHeadDotProductAttention PReLU RMSNorm SelfAttention",
    )
    | _named(
        "flax.nnx",
        "BatchNorm Conv ConvTranspose Einsum Embed GroupNorm InstanceNorm LayerNorm Linear LinearGeneral "
        "MultiHeadAttention PReLU RMSNorm",
    )
    | _named(
        "haiku",
        "BatchNorm Bias Conv1D Conv1DTranspose Conv2D Conv2DTranspose Conv3D DepthwiseConv2D Embed "
        "GroupNorm InstanceNorm LayerNorm Linear MultiHeadAttention RMSNorm nets.MLP",
    )
    | _named(
        "equinox.nn",
        "Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d Embedding GroupNorm LayerNorm "
        "Linear MLP MultiheadAttention RMSNorm",
    )
)
# what makes a recurrent cell, and what a call of it gives: its state, arrays, and what comes out, an array
CELLS = (
    dict.fromkeys(
        _named("flax.linen", "GRUCell LSTMCell MGUCell OptimizedLSTMCell SimpleCell"), ("state", "array")
    )
    | dict.fromkeys(_named("flax.nnx", "GRUCell LSTMCell OptimizedLSTMCell SimpleCell"), ("state", "array"))
    | dict.fromkeys(_named("haiku", "GRU LSTM VanillaRNN"), ("array", "state"))
    | {"equinox.nn.GRUCell": ("array",), "equinox.nn.LSTMCell": ("array", "array")}
)
# what makes a schedule: a function of the step that gives an array
SCHEDULES = _named(
    "optax",
    "cosine_decay_schedule cosine_onecycle_schedule exponential_decay linear_onecycle_schedule "
    "linear_schedule piecewise_constant_schedule piecewise_interpolate_schedule polynomial_schedule "
    "warmup_constant_schedule warmup_cosine_decay_schedule warmup_exponential_decay_schedule join_schedules "
    "sgdr_schedule",
)
# transformations of gradients whose state is a pytree without leaves
STATELESS = _named(
    "optax",
    "adaptive_grad_clip centralize clip clip_by_block_rms clip_by_global_norm identity "
    "keep_params_nonnegative normalize_by_update_norm scale scale_by_param_block_norm "
    "scale_by_param_block_rms scale_by_sign scale_by_trust_ratio set_to_zero stateless "
    "stateless_with_tree_map",
)
# boxes of arrays in the modules of flax nnx that it differentiates
PARAMETERS = _named("flax.nnx", "Param LoRAParam")
# arguments of equinox's layers with which they still give one array
QUIET = frozenset(("key", "inference"))
# methods of nnx.Rngs that draw an array from its default stream; all other names are streams, but for those
DRAWS = frozenset(
    "ball bernoulli beta binomial bits categorical cauchy chisquare choice dirichlet double_sided_maxwell "
    "exponential f gamma generalized_normal geometric gumbel laplace loggamma logistic lognormal maxwell "
    "multinomial multivariate_normal normal orthogonal pareto permutation poisson rademacher randint "
    "rayleigh t triangular truncated_normal uniform wald weibull_min".split()
)
NO_STREAMS = frozenset(
    "fork split items broadcast delta_orthogonal glorot_normal glorot_uniform he_normal he_uniform "
    "kaiming_normal kaiming_uniform lecun_normal lecun_uniform variance_scaling xavier_normal "
    "xavier_uniform".split()
)
# what makes a distribution whose samples are one array each; those of the second set have no gradient
DISTRIBUTIONS = _named(
    "numpyro.distributions",
    "AsymmetricLaplace Bernoulli BernoulliLogits BernoulliProbs Beta BetaBinomial Binomial BinomialLogits "
    "BinomialProbs Categorical CategoricalLogits CategoricalProbs Cauchy Chi2 Dirichlet "
    "DiscreteUniform Exponential Gamma GammaPoisson Geometric GeometricLogits GeometricProbs Gumbel "
    "HalfCauchy HalfNormal InverseGamma Laplace LogNormal LogUniform Logistic MultivariateNormal "
    "NegativeBinomial2 Normal Pareto Poisson SoftLaplace StudentT TruncatedNormal Uniform VonMises "
    "Weibull ZeroInflatedPoisson",
) | _named(
    "distrax",
    "Bernoulli Beta Categorical Deterministic Dirichlet Gamma Gumbel Laplace LogStddevNormal Logistic "
    "Multinomial MultivariateNormalDiag MultivariateNormalTri Normal OneHotCategorical Softmax Uniform "
    "VonMises",
)
FLAT_SAMPLES = frozenset(
    each
    for each in DISTRIBUTIONS
    if each.rpartition(".")[2].startswith(
        ("Bernoulli", "BetaBin", "Binomial", "Categorical", "Discrete", "GammaPoisson", "Geometric")
        + ("Multinomial", "NegativeBinomial", "OneHot", "Poisson", "Softmax", "VonMises", "ZeroInflated")
    )
)

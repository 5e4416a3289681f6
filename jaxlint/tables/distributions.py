"""What of a distribution of numpyro or distrax is one tracer in jit where a parameter is one.

PARTS: for each class the names and places of parameters, each with the methods without arguments and the attributes
that are one, whatever the other parameters are: the parameter itself always is. tests/test_framework_table.py makes each distribution and asks for
each of them.
"""

from __future__ import annotations

# fmt: off
# ruff: noqa: E501

# module, classes, parameter, its place, methods, attributes
_ROWS: tuple[tuple[str, str, str, int, str, str], ...] = (
    ("distrax", "Beta", "alpha", 0, "entropy mean mode stddev variance", "alpha"),
    ("distrax", "Beta", "beta", 1, "entropy mean mode stddev variance", "beta"),
    ("distrax", "Dirichlet Gamma", "concentration", 0, "entropy mean mode stddev variance", "concentration"),
    ("distrax", "VonMises", "concentration", 1, "entropy stddev variance", "concentration"),
    ("distrax", "Uniform", "high", 1, "entropy mean median stddev variance", "high range"),
    ("distrax", "Gumbel Laplace Logistic MultivariateNormalDiag MultivariateNormalTri", "loc", 0, "entropy mean median mode stddev variance", "loc"),
    ("distrax", "LogStddevNormal", "loc", 0, "entropy mean median mode stddev variance", "loc scale"),
    ("distrax", "Normal", "loc", 0, "entropy mean median mode variance", "loc"),
    ("distrax", "VonMises", "loc", 0, "entropy mean mode stddev variance", "loc"),
    ("distrax", "Deterministic", "loc", 0, "entropy mean mode stddev variance", "loc slack"),
    ("distrax", "LogStddevNormal", "log_scale", 1, "entropy stddev variance", "log_scale scale"),
    ("distrax", "Bernoulli", "logits", 0, "entropy mean mode stddev variance", "logits probs"),
    ("distrax", "Categorical OneHotCategorical", "logits", 0, "entropy mode", "logits probs"),
    ("distrax", "Softmax", "logits", 0, "entropy mode", "logits probs unscaled_logits"),
    ("distrax", "Multinomial", "logits", 1, "entropy mean stddev variance", "log_of_probs logits num_trials probs"),
    ("distrax", "Uniform", "low", 0, "entropy mean median stddev variance", "low range"),
    ("distrax", "Bernoulli", "probs", 1, "entropy mean mode stddev variance", "logits probs"),
    ("distrax", "Categorical OneHotCategorical", "probs", 1, "entropy mode", "logits probs"),
    ("distrax", "Gamma", "rate", 1, "entropy mean mode stddev variance", "rate"),
    ("distrax", "Gumbel", "scale", 1, "entropy mean median stddev variance", "scale"),
    ("distrax", "Laplace Logistic Normal", "scale", 1, "entropy stddev variance", "scale"),
    ("numpyro.distributions", "Pareto", "alpha", 1, "entropy", "mean variance"),
    ("numpyro.distributions", "AsymmetricLaplace", "asymmetry", 2, "", "left_scale mean right_scale variance"),
    ("numpyro.distributions", "GammaPoisson", "concentration", 0, "", "mean variance"),
    ("numpyro.distributions", "Dirichlet Gamma InverseGamma", "concentration", 0, "entropy", "mean variance"),
    ("numpyro.distributions", "VonMises", "concentration", 1, "", "mean variance"),
    ("numpyro.distributions", "NegativeBinomial2", "concentration", 1, "", "variance"),
    ("numpyro.distributions", "Weibull", "concentration", 1, "entropy", "mean variance"),
    ("numpyro.distributions", "BetaBinomial", "concentration0", 1, "", "mean variance"),
    ("numpyro.distributions", "Beta", "concentration0", 1, "entropy", "mean variance"),
    ("numpyro.distributions", "BetaBinomial", "concentration1", 0, "", "mean variance"),
    ("numpyro.distributions", "Beta", "concentration1", 0, "entropy", "mean variance"),
    ("numpyro.distributions", "MultivariateNormal", "covariance_matrix", 1, "entropy", "covariance_matrix mean variance"),
    ("numpyro.distributions", "Chi2 StudentT", "df", 0, "entropy", "mean variance"),
    ("numpyro.distributions", "ZeroInflatedPoisson", "gate", 0, "", "mean variance"),
    ("numpyro.distributions", "LogUniform Uniform", "high", 1, "entropy", "mean variance"),
    ("numpyro.distributions", "AsymmetricLaplace Gumbel SoftLaplace VonMises", "loc", 0, "", "mean variance"),
    ("numpyro.distributions", "Cauchy Laplace LogNormal Logistic MultivariateNormal Normal TruncatedNormal", "loc", 0, "entropy", "mean variance"),
    ("numpyro.distributions", "StudentT", "loc", 1, "entropy", "mean variance"),
    ("numpyro.distributions", "BinomialLogits", "logits", 0, "", "mean probs variance"),
    ("numpyro.distributions", "BernoulliLogits CategoricalLogits GeometricLogits", "logits", 0, "entropy", "mean probs variance"),
    ("numpyro.distributions", "Bernoulli Categorical Geometric", "logits", 1, "entropy", "mean probs variance"),
    ("numpyro.distributions", "LogUniform Uniform", "low", 0, "entropy", "mean variance"),
    ("numpyro.distributions", "NegativeBinomial2", "mean", 0, "", "mean variance"),
    ("numpyro.distributions", "BinomialProbs", "probs", 0, "", "logits mean variance"),
    ("numpyro.distributions", "Bernoulli BernoulliProbs Categorical CategoricalProbs Geometric GeometricProbs", "probs", 0, "entropy", "logits mean variance"),
    ("numpyro.distributions", "Binomial", "probs", 1, "", "logits mean variance"),
    ("numpyro.distributions", "Poisson", "rate", 0, "", "mean variance"),
    ("numpyro.distributions", "Exponential", "rate", 0, "entropy", "mean variance"),
    ("numpyro.distributions", "GammaPoisson ZeroInflatedPoisson", "rate", 1, "", "mean variance"),
    ("numpyro.distributions", "Gamma InverseGamma", "rate", 1, "entropy", "mean variance"),
    ("numpyro.distributions", "HalfCauchy HalfNormal", "scale", 0, "", "mean variance"),
    ("numpyro.distributions", "Pareto Weibull", "scale", 0, "entropy", "mean variance"),
    ("numpyro.distributions", "AsymmetricLaplace", "scale", 1, "", "left_scale mean right_scale variance"),
    ("numpyro.distributions", "Gumbel", "scale", 1, "", "mean variance"),
    ("numpyro.distributions", "SoftLaplace", "scale", 1, "", "variance"),
    ("numpyro.distributions", "Cauchy LogNormal", "scale", 1, "entropy", "mean variance"),
    ("numpyro.distributions", "Laplace Logistic Normal TruncatedNormal", "scale", 1, "entropy", "variance"),
)
# fmt: on

PARTS: dict[str, list[tuple[str, int, frozenset[str]]]] = {}
for _module, _classes, _parameter, _place, _methods, _attributes in _ROWS:
    for _name in _classes.split():
        _row = (_parameter, _place, frozenset((_parameter, *_methods.split(), *_attributes.split())))
        PARTS.setdefault(f"{_module}.{_name}", []).append(_row)

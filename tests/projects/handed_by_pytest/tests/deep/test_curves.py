import curves
import jax
import jax.numpy as jnp
import pytest

POINTS = jnp.linspace(0.0, 1.0, 3)


@pytest.mark.parametrize("curve", [curves.line, pytest.param(curves.wave, id="wave")])
def test_listed(curve):
    jax.jit(curve)(POINTS)


@pytest.mark.parametrize("curve", [curves.only_called])
def test_called(curve):
    curve(POINTS)


def test_from_root(root_curve):
    jax.jit(root_curve)(POINTS)


def test_near(near):
    jax.jit(near)(POINTS)


def test_chain(chain):
    jax.jit(chain)(POINTS)


def test_other_name(other_name):
    jax.jit(other_name)(POINTS)


def test_spline(spline):
    jax.jit(spline.at_once)(POINTS)
    spline.by_hand(POINTS)

import curves
import pytest


@pytest.fixture
def near():
    return curves.nearer


@pytest.fixture
def chain(chain):
    return chain[0]


@pytest.fixture(name="other_name")
def make_it():
    return curves.shared

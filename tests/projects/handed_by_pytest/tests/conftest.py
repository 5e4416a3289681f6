import os
import sys

import pytest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import curves


@pytest.fixture
def root_curve():
    return curves.from_root


@pytest.fixture
def near():
    return curves.hidden


@pytest.fixture
def chain():
    return [curves.chained]


@pytest.fixture(scope="session")
def spline():
    yield curves.Spline(5)

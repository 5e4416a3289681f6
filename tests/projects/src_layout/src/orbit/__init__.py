from ._anomaly import *
from ._elements import kepler_period
from ._integrators import step as propagate

__all__ = ["kepler_period", "mean_anomaly", "propagate"]

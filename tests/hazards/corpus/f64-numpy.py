import numpy as np

a = np.zeros(2, np.float64); print(a.dtype)

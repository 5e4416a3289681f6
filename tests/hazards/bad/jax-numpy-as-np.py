import jax
import numpy as np

import jax.numpy as np
a = np.zeros(2)
try: a[0] = 1
except TypeError as e: print(str(e)[:40])

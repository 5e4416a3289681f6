from functools import partial

import filters
from filters import convolve

blur = partial(convolve, "same", width=3)
sharpen = partial(filters.convolve, "valid")
halve = partial(filters.resize_static, factor=2)
resize_any = partial(filters.resize)

import multiprocessing as mp
ctx = mp.get_context("spawn"); print(ctx.get_start_method())

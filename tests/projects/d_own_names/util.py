def safe_zip(*sequences):
    return list(zip(*sequences, strict=True))

NUMPY: dict[str, tuple[str, str, str, str, tuple[str, ...], bool]] = {}

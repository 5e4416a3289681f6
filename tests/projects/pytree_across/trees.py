import dataclasses

import jax


def pytree(*, meta=()):
    def decorate(cls):
        cls = dataclasses.dataclass(frozen=True)(cls)
        names = [field.name for field in dataclasses.fields(cls)]
        data = [name for name in names if name not in meta]
        return jax.tree_util.register_dataclass(cls, data_fields=data, meta_fields=list(meta))

    return decorate

from .decorators import traced

__all__ = ["traced"]

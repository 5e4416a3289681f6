"""raises-elsewhere Whether self may be traced is decided in another module: base class and decorator register, the plain class is not registered, and calling it raises."""

from layers import Affine, Plain, Scale

if __name__ == "__main__":
    print(Scale(2.0)(3.0), Affine(2.0, 1.0)(3.0))
    print(Plain(2.0)(3.0))

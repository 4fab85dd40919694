"""TensorFlow's path to optional elements."""

from tinytf._src.data.optionals import Optional, OptionalSpec

__all__ = ["Optional", "OptionalSpec"]

"""TensorFlow's path to `nest`, the nested structures of datasets' elements, and `structure`, their specifications."""

from tinytf.python.paths import adopt as _adopt

_adopt(__name__, {"nest": "tinytf._src.data.nest", "structure": "tinytf._src.data.structure"})

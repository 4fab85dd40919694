"""TensorFlow's path to layers and their input specifications."""

from tinytf._src.layers.input_spec import InputSpec as InputSpec
from tinytf._src.layers.scoped import Layer as Layer

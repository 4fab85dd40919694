"""TensorFlow's path to layers and their input specifications."""

from tinytf.nets.layers.input_spec import InputSpec as InputSpec
from tinytf.nets.layers.layer import Layer as Layer

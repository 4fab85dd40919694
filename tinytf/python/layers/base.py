"""TensorFlow's path to layers, and to what they demand of their inputs."""

from tinytf.nets.layers.input_spec import InputSpec as InputSpec
from tinytf.nets.layers.layer import Layer as Layer

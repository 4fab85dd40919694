"""TensorFlow's path to wrappers, and to linear maps, which programs take by their name there."""

from tinytf.contrib.rnn.linear import linear
from tinytf.contrib.rnn.wrappers import EmbeddingWrapper as EmbeddingWrapper
from tinytf.contrib.rnn.wrappers import InputProjectionWrapper as InputProjectionWrapper
from tinytf.contrib.rnn.wrappers import OutputProjectionWrapper as OutputProjectionWrapper

_linear = linear

"""TensorFlow's module path of the wrapper cells and of the linear map."""

from tinytf.contrib.rnn.linear import linear
from tinytf.contrib.rnn.wrappers import EmbeddingWrapper as EmbeddingWrapper
from tinytf.contrib.rnn.wrappers import InputProjectionWrapper as InputProjectionWrapper
from tinytf.contrib.rnn.wrappers import OutputProjectionWrapper as OutputProjectionWrapper

_linear = linear

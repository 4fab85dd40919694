"""The namespace `tf.nn`: wrappers that are written by hand. Plain ops are added from the generated endpoints."""

from tinytf._gen import endpoints_nn as _endpoints_nn
from tinytf._gen.endpoints_nn import *  # noqa: F403
from tinytf.ops.math.arithmetic import log_sigmoid as log_sigmoid
from tinytf.ops.math.arithmetic import sigmoid as sigmoid
from tinytf.ops.nn import nn_ops as _nn_ops
from tinytf.ops.nn.nn_ops import *  # noqa: F403

__all__ = ["log_sigmoid", "sigmoid"]
__all__ += _endpoints_nn.__all__
__all__ += _nn_ops.__all__

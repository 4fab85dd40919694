"""`tf.train`: optimizers, learning rates, moving averages and the global step."""

from tinytf.training import learning_rate_decay, training_util
from tinytf.training.learning_rate_decay import *  # noqa: F403
from tinytf.training.moving_averages import ExponentialMovingAverage
from tinytf.training.optimizers.adadelta import AdadeltaOptimizer
from tinytf.training.optimizers.adagrad import AdagradOptimizer
from tinytf.training.optimizers.adagrad_da import AdagradDAOptimizer
from tinytf.training.optimizers.adam import AdamOptimizer
from tinytf.training.optimizers.ftrl import FtrlOptimizer
from tinytf.training.optimizers.gradient_descent import GradientDescentOptimizer
from tinytf.training.optimizers.momentum import MomentumOptimizer
from tinytf.training.optimizers.optimizer import Optimizer
from tinytf.training.optimizers.proximal import ProximalAdagradOptimizer, ProximalGradientDescentOptimizer
from tinytf.training.optimizers.rmsprop import RMSPropOptimizer
from tinytf.training.training_util import *  # noqa: F403

__all__ = [
    "AdadeltaOptimizer",
    "AdagradDAOptimizer",
    "AdagradOptimizer",
    "AdamOptimizer",
    "ExponentialMovingAverage",
    "FtrlOptimizer",
    "GradientDescentOptimizer",
    "MomentumOptimizer",
    "Optimizer",
    "ProximalAdagradOptimizer",
    "ProximalGradientDescentOptimizer",
    "RMSPropOptimizer",
]
__all__ += learning_rate_decay.__all__
__all__ += training_util.__all__

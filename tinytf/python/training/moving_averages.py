"""TensorFlow's path to moving averages of variables and tensors."""

from tinytf.training.moving_averages import ExponentialMovingAverage as ExponentialMovingAverage
from tinytf.training.moving_averages import assign_moving_average as assign_moving_average
from tinytf.training.moving_averages import weighted_moving_average as weighted_moving_average

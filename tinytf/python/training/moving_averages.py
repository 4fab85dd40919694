"""TensorFlow's path to moving averages of variables and tensors."""

from tinytf._src.training.moving_averages import (
    ExponentialMovingAverage,
    assign_moving_average,
    weighted_moving_average,
)

__all__ = ["ExponentialMovingAverage", "assign_moving_average", "weighted_moving_average"]

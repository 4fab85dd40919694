"""TensorFlow's path to the device function of replicated training."""

from tinytf._src.training.device_setter import STANDARD_PS_OPS, replica_device_setter

__all__ = ["STANDARD_PS_OPS", "replica_device_setter"]

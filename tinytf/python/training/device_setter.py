"""TensorFlow's path to the devices of replicas."""

from tinytf.training.device_setter import STANDARD_PS_OPS, replica_device_setter

__all__ = ["STANDARD_PS_OPS", "replica_device_setter"]

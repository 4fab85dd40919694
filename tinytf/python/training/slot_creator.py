"""TensorFlow's path to functions that create slot variables."""

from tinytf._src.training.slot_creator import create_slot, create_slot_with_initializer, create_zeros_slot

__all__ = ["create_slot", "create_slot_with_initializer", "create_zeros_slot"]

"""TensorFlow's path to what makes slots of variables."""

from tinytf.training.slot_creator import create_slot, create_slot_with_initializer, create_zeros_slot

__all__ = ["create_slot", "create_slot_with_initializer", "create_zeros_slot"]

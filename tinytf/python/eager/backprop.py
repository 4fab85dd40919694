"""TensorFlow's path to gradients of Python functions."""

from tinytf._src.eager.backprop import GradientTape
from tinytf._src.eager.function_gradients import gradients_function, make_vjp
from tinytf._src.eager.function_gradients import implicit_gradients as implicit_grad
from tinytf._src.eager.function_gradients import implicit_value_and_gradients as implicit_val_and_grad
from tinytf._src.eager.function_gradients import value_and_gradients_function as val_and_grad_function

__all__ = [
    "GradientTape",
    "gradients_function",
    "implicit_grad",
    "implicit_val_and_grad",
    "make_vjp",
    "val_and_grad_function",
]

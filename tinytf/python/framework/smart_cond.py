"""TensorFlow's path to conditionals whose branch is chosen when the graph is built, if the predicate is a constant."""

from tinytf._src.ops.control_flow.smart_cond import smart_case, smart_cond, smart_constant_value

__all__ = ["smart_case", "smart_cond", "smart_constant_value"]

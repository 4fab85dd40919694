"""TensorFlow's path to branches that are chosen while the graph is built."""

from tinytf.ops.control_flow.smart_cond import smart_case, smart_cond, smart_constant_value

__all__ = ["smart_case", "smart_cond", "smart_constant_value"]

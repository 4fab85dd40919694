"""Mathematical ops, collected from the modules that define them. Importing this module installs the operators of
tensors.
"""

from tinytf._src.ops import operators as operators
from tinytf._src.ops.linalg import products
from tinytf._src.ops.linalg.einsum import einsum as einsum
from tinytf._src.ops.linalg.products import *  # noqa: F403
from tinytf._src.ops.math import arithmetic, casting, counting, ranges, reductions, segments, special_math_ops
from tinytf._src.ops.math.arithmetic import *  # noqa: F403
from tinytf._src.ops.math.casting import *  # noqa: F403
from tinytf._src.ops.math.counting import *  # noqa: F403
from tinytf._src.ops.math.ranges import *  # noqa: F403
from tinytf._src.ops.math.reductions import *  # noqa: F403
from tinytf._src.ops.math.reductions import reduced_shape as reduced_shape
from tinytf._src.ops.math.segments import *  # noqa: F403
from tinytf._src.ops.math.sort_ops import argsort as argsort
from tinytf._src.ops.math.sort_ops import sort as sort
from tinytf._src.ops.math.special_math_ops import *  # noqa: F403
from tinytf._src.ops.nn.confusion_matrix import confusion_matrix as confusion_matrix

__all__ = ["argsort", "confusion_matrix", "einsum", "sort"]
__all__ += arithmetic.__all__
__all__ += casting.__all__
__all__ += counting.__all__
__all__ += products.__all__
__all__ += ranges.__all__
__all__ += reductions.__all__
__all__ += segments.__all__
__all__ += special_math_ops.__all__

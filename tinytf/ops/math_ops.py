"""Everything mathematical, from the modules that hold it. Importing it gives tensors their operators."""

from tinytf.ops import arithmetic, casting, products, ranges, reductions, segments, special_math_ops
from tinytf.ops import operators as operators
from tinytf.ops.arithmetic import *  # noqa: F403
from tinytf.ops.casting import *  # noqa: F403
from tinytf.ops.confusion_matrix import confusion_matrix as confusion_matrix
from tinytf.ops.einsum import einsum as einsum
from tinytf.ops.products import *  # noqa: F403
from tinytf.ops.ranges import *  # noqa: F403
from tinytf.ops.reductions import *  # noqa: F403
from tinytf.ops.reductions import reduced_shape as reduced_shape
from tinytf.ops.segments import *  # noqa: F403
from tinytf.ops.sort_ops import argsort as argsort
from tinytf.ops.sort_ops import sort as sort
from tinytf.ops.special_math_ops import *  # noqa: F403

__all__ = ["argsort", "confusion_matrix", "einsum", "sort"]
__all__ += arithmetic.__all__
__all__ += casting.__all__
__all__ += products.__all__
__all__ += ranges.__all__
__all__ += reductions.__all__
__all__ += segments.__all__
__all__ += special_math_ops.__all__

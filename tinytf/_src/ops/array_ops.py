"""Ops about shapes and the arrangement of elements, collected from the modules that define them."""

from tinytf._src.framework.tensors.constant_op import constant as constant
from tinytf._src.ops.array import filling, gathering, grids, joining, moving, placeholders, shape_ops, slicing
from tinytf._src.ops.array.filling import *  # noqa: F403
from tinytf._src.ops.array.gathering import *  # noqa: F403
from tinytf._src.ops.array.grids import *  # noqa: F403
from tinytf._src.ops.array.joining import *  # noqa: F403
from tinytf._src.ops.array.moving import *  # noqa: F403
from tinytf._src.ops.array.placeholders import *  # noqa: F403
from tinytf._src.ops.array.shape_ops import *  # noqa: F403
from tinytf._src.ops.array.shape_ops import rank_internal as rank_internal
from tinytf._src.ops.array.shape_ops import shape_internal as shape_internal
from tinytf._src.ops.array.shape_ops import size_internal as size_internal
from tinytf._src.ops.array.slicing import *  # noqa: F403

__all__ = ["constant"]
__all__ += filling.__all__
__all__ += gathering.__all__
__all__ += grids.__all__
__all__ += joining.__all__
__all__ += moving.__all__
__all__ += placeholders.__all__
__all__ += shape_ops.__all__
__all__ += slicing.__all__

"""Ops about shapes and the arrangement of elements, collected from the modules that define them."""

from tinytf._src.framework.tensors.constant_op import constant as constant
from tinytf._src.ops.array import (
    constant_tensors,
    diagonals,
    gathering,
    grids,
    joining,
    one_hot_vectors,
    padding,
    placeholders,
    sequences,
    shape_ops,
    slicing,
    spatial_blocks,
    transposition,
)
from tinytf._src.ops.array.constant_tensors import *  # noqa: F403
from tinytf._src.ops.array.diagonals import *  # noqa: F403
from tinytf._src.ops.array.gathering import *  # noqa: F403
from tinytf._src.ops.array.grids import *  # noqa: F403
from tinytf._src.ops.array.joining import *  # noqa: F403
from tinytf._src.ops.array.one_hot_vectors import *  # noqa: F403
from tinytf._src.ops.array.padding import *  # noqa: F403
from tinytf._src.ops.array.placeholders import *  # noqa: F403
from tinytf._src.ops.array.sequences import *  # noqa: F403
from tinytf._src.ops.array.shape_ops import *  # noqa: F403
from tinytf._src.ops.array.shape_ops import rank_internal as rank_internal
from tinytf._src.ops.array.shape_ops import shape_internal as shape_internal
from tinytf._src.ops.array.shape_ops import size_internal as size_internal
from tinytf._src.ops.array.slicing import *  # noqa: F403
from tinytf._src.ops.array.spatial_blocks import *  # noqa: F403
from tinytf._src.ops.array.transposition import *  # noqa: F403

__all__ = ["constant"]
__all__ += constant_tensors.__all__
__all__ += diagonals.__all__
__all__ += gathering.__all__
__all__ += grids.__all__
__all__ += joining.__all__
__all__ += one_hot_vectors.__all__
__all__ += padding.__all__
__all__ += placeholders.__all__
__all__ += sequences.__all__
__all__ += shape_ops.__all__
__all__ += slicing.__all__
__all__ += spatial_blocks.__all__
__all__ += transposition.__all__

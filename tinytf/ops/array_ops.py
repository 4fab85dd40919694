"""Everything about shapes and the arrangement of elements, from the modules that hold it."""

from tinytf.framework.constant_op import constant as constant
from tinytf.ops import filling, gathering, joining, moving, placeholders, shape_ops, slicing
from tinytf.ops.filling import *  # noqa: F403
from tinytf.ops.gathering import *  # noqa: F403
from tinytf.ops.joining import *  # noqa: F403
from tinytf.ops.moving import *  # noqa: F403
from tinytf.ops.placeholders import *  # noqa: F403
from tinytf.ops.shape_ops import *  # noqa: F403
from tinytf.ops.shape_ops import rank_internal as rank_internal
from tinytf.ops.shape_ops import shape_internal as shape_internal
from tinytf.ops.shape_ops import size_internal as size_internal
from tinytf.ops.slicing import *  # noqa: F403

__all__ = ["constant"]
__all__ += filling.__all__
__all__ += gathering.__all__
__all__ += joining.__all__
__all__ += moving.__all__
__all__ += placeholders.__all__
__all__ += shape_ops.__all__
__all__ += slicing.__all__

"""`CompositeTensor`: base class of values that consist of tensors."""

from __future__ import annotations


class CompositeTensor:
    """Base class of values that consist of tensors, such as sparse tensors and datasets.

    A subclass has an attribute `_type_spec`: a `TypeSpec` that takes the value apart, and makes such a value of other
    tensors.
    """

    __slots__ = ()

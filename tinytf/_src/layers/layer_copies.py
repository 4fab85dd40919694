"""Deep copies of layers and of their parts."""

from __future__ import annotations

import copy
from typing import Any

from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.nest import nest


def copy_attributes(part: Any, memo: dict[int, Any], shallow: tuple[str, ...] = ()) -> Any:
    """Returns a copy of an object for `copy.deepcopy`: attributes in `shallow` are copied shallowly, attributes that
    hold tensors are shared, all others are deep copies.
    """
    kind: Any = type(part)
    made = kind.__new__(kind)
    memo[id(part)] = made
    for name, value in vars(part).items():
        if name in shallow:
            value = copy.copy(value)
        elif not any(isinstance(leaf, Tensor) for leaf in nest.flatten(value)):
            value = copy.deepcopy(value, memo)
        setattr(made, name, value)
    return made

"""Arrays that stand for one integer."""

from __future__ import annotations

from typing import Any

import numpy as np


def single_integer(value: Any) -> int:
    """The integer that a number, or an array of one element and any rank, is. TypeError for other sizes."""
    array = np.asarray(value)
    if array.size != 1:
        raise TypeError("only size-1 arrays can be converted to Python scalars")
    return int(array.item())

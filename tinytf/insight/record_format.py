"""The file of recorded steps: a zip of stored members, read as if it came from an enemy.

    record.json             {"format", "version", "graphs": [lines of the program by node], "steps"}
    graphs/<g>.pb           GraphDef
    steps/<n>.json          what `RecordedStep` says
    arrays/….npy            the arrays that steps refer to; bytes of strings one after the other,
    arrays/….lengths.npy    and their lengths

Members are not compressed, so that nothing read is larger than the file.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf.framework import dtypes

FORMAT = "tinytf step record"
VERSION = 1

# A number that stands for an array: the member without its ".npy", name of the dtype, shape.
ArrayRef = list[Any]

STORED_AS = {"bfloat16": np.dtype("<u2")}  # types that .npy files do not know


def is_storable(dtype: dtypes.DType) -> bool:
    """Whether an array of that type, other than of strings, has bits to store."""
    return dtype.is_bool or dtype.is_integer or dtype.is_floating or dtype.is_complex

"""The file format of recorded steps: a zip of uncompressed members, which the reader does not trust.

    record.json             {"format", "version", "graphs": [source line by node name], "steps": number of steps}
    graphs/<g>.pb           GraphDef
    steps/<n>.json          the fields of `RecordedStep`
    arrays/….npy            the arrays that steps refer to; for strings their concatenated bytes
    arrays/….lengths.npy    the lengths of the strings

Members are not compressed, so a small file cannot expand to a large amount of memory.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tinytf._src.framework.values import dtypes

FORMAT = "tinytf step record"
VERSION = 1

# Reference from a step to an array: [member name without ".npy", dtype name, shape].
ArrayRef = list[Any]

STORED_AS = {"bfloat16": np.dtype("<u2")}  # dtypes that .npy files cannot represent


def is_storable(dtype: dtypes.DType) -> bool:
    """Whether elements of the dtype can be stored as their bits; strings are stored in another way."""
    return dtype.is_bool or dtype.is_integer or dtype.is_floating or dtype.is_complex

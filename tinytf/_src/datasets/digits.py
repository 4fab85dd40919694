"""The 1,797 hand-written digits of the UCI repository (CC BY 4.0; see README.md in this folder)."""

from pathlib import Path
from typing import Any

import numpy as np

_FILE = Path(__file__).with_name("digits.npz")
_INK_LEVELS = 16  # a pixel counts the set dots of a 4x4 block of the original scan


def load_digits(dtype: Any = np.float32) -> tuple[np.ndarray, np.ndarray]:
    """Loads the images of hand-written digits and the digits that they show.

    Args:
      dtype: `np.float32` (or another floating type) for ink between 0.0 and 1.0, `np.uint8` for the original
        counts between 0 and 16.

    Returns:
      `(images, labels)`: images of shape (1797, 8, 8) and the given dtype, labels of shape (1797,) and dtype int64
      with values 0 to 9. Both are fresh arrays, in the order of the original file.

    Raises:
      ValueError: `dtype` is neither floating nor uint8.
    """
    dtype = np.dtype(dtype)
    if dtype != np.uint8 and not np.issubdtype(dtype, np.floating):
        raise ValueError(f"load_digits gives floating or uint8 images, not {dtype}")
    with np.load(_FILE) as arrays:
        counts, labels = arrays["images"], arrays["labels"].astype(np.int64)
    images = counts if dtype == np.uint8 else counts.astype(dtype) / dtype.type(_INK_LEVELS)
    return images, labels

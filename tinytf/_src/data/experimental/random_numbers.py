"""`RandomDataset`: random numbers without end."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data.dataset import DatasetSource
from tinytf._src.data.dataset_v1 import DatasetV1Adapter
from tinytf._src.data.random_seed import get_seed
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.values import dtypes

_NUMBER = TensorSpec([], dtypes.int64)


@tf_export("compat.v2.data.experimental.RandomDataset")
class RandomDatasetV2(DatasetSource):
    """Random numbers of type int64 from 0 to 2**32 - 1, without end."""

    def __init__(self, seed: Any = None) -> None:
        """Makes the dataset.

        Args:
          seed: int or int64 tensor; None means the graph-level seed, if there is one.
        """
        first, second = get_seed(seed)
        super().__init__(gen_ops.random_dataset(seed=first, seed2=second, **self._flat_structure))

    @property
    def element_spec(self) -> TensorSpec:
        """The specification of a number."""
        return _NUMBER


@tf_export("data.experimental.RandomDataset")
class RandomDatasetV1(DatasetV1Adapter):
    """Random numbers of type int64 from 0 to 2**32 - 1, without end."""

    def __init__(self, seed: Any = None) -> None:
        """Makes the dataset.

        Args:
          seed: int or int64 tensor; None means the graph-level seed, if there is one.
        """
        super().__init__(RandomDatasetV2(seed))

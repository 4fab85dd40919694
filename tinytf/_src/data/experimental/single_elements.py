"""What can be computed of a whole dataset: its number of elements, or its only element."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data import structure
from tinytf._src.data.dataset import DatasetV2
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users


@tf_export("data.experimental.cardinality")
def cardinality(dataset: Any) -> Any:
    """The number of elements of a dataset.

    Args:
      dataset: Dataset.

    Returns:
      Scalar int64 Tensor; INFINITE_CARDINALITY for a dataset without end, UNKNOWN_CARDINALITY if it cannot be told
      without reading the elements.
    """
    return gen_ops.dataset_cardinality(dataset._variant_tensor)


@tf_export("data.experimental.get_single_element")
@called_by_users
def get_single_element(dataset: Any) -> Any:
    """The element of a dataset with one element.

    Args:
      dataset: Dataset.

    Returns:
      Nested structure of tensors.

    Raises:
      TypeError: if `dataset` is none.
      InvalidArgumentError: at run time, if there are no or several elements.
    """
    if not isinstance(dataset, DatasetV2):
        raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
    tensors = gen_ops.dataset_to_single_element(dataset._variant_tensor, **dataset._flat_structure)
    return structure.from_compatible_tensor_list(dataset.element_spec, tensors)

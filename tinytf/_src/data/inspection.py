"""Functions that describe the elements of datasets and iterators."""

from __future__ import annotations

from typing import Any

from tinytf._src.data import structure
from tinytf._src.exports import tf_export
from tinytf._src.framework.errors.error_traceback import called_by_users


@tf_export("data.experimental.get_structure")
@called_by_users
def get_structure(dataset_or_iterator: Any) -> Any:
    """The specification of the elements.

    Args:
      dataset_or_iterator: dataset or iterator.

    Returns:
      Nested structure of TypeSpecs.

    Raises:
      TypeError: for other values.
    """
    try:
        return dataset_or_iterator.element_spec
    except AttributeError:
        raise TypeError(
            f"`dataset_or_iterator` must be a Dataset or Iterator object, but got {type(dataset_or_iterator)}."
        ) from None


@tf_export("data.get_output_classes")
@called_by_users
def get_legacy_output_classes(dataset_or_iterator: Any) -> Any:
    """The classes of the values of an element.

    Args:
      dataset_or_iterator: dataset or iterator.

    Returns:
      Nested structure of classes.
    """
    return structure.legacy_classes(get_structure(dataset_or_iterator))


@tf_export("data.get_output_shapes")
@called_by_users
def get_legacy_output_shapes(dataset_or_iterator: Any) -> Any:
    """The shapes of the values of an element.

    Args:
      dataset_or_iterator: dataset or iterator.

    Returns:
      Nested structure of TensorShapes.
    """
    return structure.legacy_shapes(get_structure(dataset_or_iterator))


@tf_export("data.get_output_types")
@called_by_users
def get_legacy_output_types(dataset_or_iterator: Any) -> Any:
    """The types of the values of an element.

    Args:
      dataset_or_iterator: dataset or iterator.

    Returns:
      Nested structure of DTypes.
    """
    return structure.legacy_types(get_structure(dataset_or_iterator))

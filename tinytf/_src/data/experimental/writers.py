"""`TFRecordWriter`: writes the elements of a dataset to a file."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data import structure
from tinytf._src.data.dataset import DatasetV2
from tinytf._src.data.kinds.arguments import optional_tensor
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes


@tf_export("data.experimental.TFRecordWriter")
class TFRecordWriter:
    """Writes datasets of strings to a TFRecord file."""

    def __init__(self, filename: Any, compression_type: Any = None) -> None:
        """Keeps the arguments as tensors.

        Args:
          filename: string or string tensor.
          compression_type: string or string tensor, "", "ZLIB" or "GZIP"; None means "".
        """
        self._filename = convert_to_tensor(filename, dtypes.string, name="filename")
        self._compression_type = optional_tensor("compression_type", compression_type, "", dtypes.string)

    def write(self, dataset: Any) -> Any:
        """Writes all elements of a dataset, each as a record.

        Args:
          dataset: Dataset of scalar strings.

        Returns:
          Operation that writes; None in eager execution.

        Raises:
          TypeError: if `dataset` is none, or has other elements.
        """
        if not isinstance(dataset, DatasetV2):
            raise TypeError("`dataset` must be a `tf.data.Dataset` object.")
        spec = dataset.element_spec
        if not _is_string(spec):
            raise TypeError(
                "`dataset` must produce scalar `DT_STRING` tensors whereas it produces shape "
                f"{structure.legacy_shapes(spec)} and types {structure.legacy_types(spec)}"
            )
        return gen_ops.dataset_to_tf_record(dataset._variant_tensor, self._filename, self._compression_type)


def _is_string(spec: Any) -> bool:
    return isinstance(spec, TensorSpec) and bool(spec.is_compatible_with(TensorSpec([], dtypes.string)))

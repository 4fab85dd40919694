"""`CsvDataset`: the rows of files of comma-separated values."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data.dataset import DatasetSource
from tinytf._src.data.dataset_v1 import DatasetV1Adapter
from tinytf._src.data.kinds.arguments import boolean, optional_tensor
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.tensors.constant_op import constant
from tinytf._src.framework.tensors.conversion import convert_n_to_tensor, convert_to_tensor
from tinytf._src.framework.values import dtypes

_TYPES = (dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64, dtypes.string)
_BUFFER_SIZE = 4 * 1024 * 1024  # bytes read at a time, by default


def defaults_of_columns(record_defaults: Any) -> list[Any]:
    """Returns defaults with empty vectors in place of DTypes, which stand for columns without a default."""
    return [constant([], dtype=value) if _is_type(value) else value for value in record_defaults]


def _is_type(value: Any) -> bool:
    return not isinstance(value, Tensor) and value in _TYPES


@tf_export("compat.v2.data.experimental.CsvDataset")
class CsvDatasetV2(DatasetSource):
    """The rows of CSV files, as tuples of scalars."""

    def __init__(
        self,
        filenames: Any,
        record_defaults: Any,
        compression_type: Any = None,
        buffer_size: Any = None,
        header: Any = False,
        field_delim: Any = ",",
        use_quote_delim: Any = True,
        na_value: Any = "",
        select_cols: Any = None,
    ) -> None:
        """Makes the dataset.

        Args:
          filenames: string tensor or list of strings.
          record_defaults: list with one default for each column that is read: a vector with the default or without an
            element, or one of the DTypes float32, float64, int32, int64 and string. Without a default the column must
            not have empty fields.
          compression_type: string or string tensor, "", "ZLIB" or "GZIP"; None means "".
          buffer_size: int or int64 tensor, bytes read at a time; None means 4 MiB.
          header: bool or bool tensor, whether the first row of each file is left out.
          field_delim: string or string tensor, the character between fields.
          use_quote_delim: bool or bool tensor, whether quotation marks enclose fields.
          na_value: string or string tensor, a field that means a missing value, beside the empty one.
          select_cols: sorted list of ints, the columns that are read; None means all.
        """
        filenames = convert_to_tensor(filenames, dtype=dtypes.string, name="filenames")
        compression = optional_tensor("compression_type", compression_type, "", dtypes.string)
        defaults = convert_n_to_tensor(defaults_of_columns(record_defaults), name="record_defaults")
        size = optional_tensor("buffer_size", buffer_size, _BUFFER_SIZE)
        header = boolean(header, "header")
        delimiter = convert_to_tensor(field_delim, dtype=dtypes.string, name="field_delim")
        quotes = boolean(use_quote_delim, "use_quote_delim")
        na_value = convert_to_tensor(na_value, dtype=dtypes.string, name="na_value")
        columns = optional_tensor("select_cols", select_cols, [])
        self._structure = tuple(TensorSpec([], value.dtype) for value in defaults)
        rows = gen_ops.csv_dataset(
            filenames=filenames,
            record_defaults=defaults,
            buffer_size=size,
            header=header,
            output_shapes=self._flat_shapes,
            field_delim=delimiter,
            use_quote_delim=quotes,
            na_value=na_value,
            select_cols=columns,
            compression_type=compression,
        )
        super().__init__(rows)

    @property
    def element_spec(self) -> Any:
        """The specification of a row: a tuple of scalars."""
        return self._structure


@tf_export("data.experimental.CsvDataset")
class CsvDatasetV1(DatasetV1Adapter):
    """The rows of CSV files, as tuples of scalars."""

    def __init__(
        self,
        filenames: Any,
        record_defaults: Any,
        compression_type: Any = None,
        buffer_size: Any = None,
        header: Any = False,
        field_delim: Any = ",",
        use_quote_delim: Any = True,
        na_value: Any = "",
        select_cols: Any = None,
    ) -> None:
        """Makes the dataset.

        Args:
          filenames: string tensor or list of strings.
          record_defaults: list with one default for each column that is read: a vector with the default or without an
            element, or one of the DTypes float32, float64, int32, int64 and string. Without a default the column must
            not have empty fields.
          compression_type: string or string tensor, "", "ZLIB" or "GZIP"; None means "".
          buffer_size: int or int64 tensor, bytes read at a time; None means 4 MiB.
          header: bool or bool tensor, whether the first row of each file is left out.
          field_delim: string or string tensor, the character between fields.
          use_quote_delim: bool or bool tensor, whether quotation marks enclose fields.
          na_value: string or string tensor, a field that means a missing value, beside the empty one.
          select_cols: sorted list of ints, the columns that are read; None means all.
        """
        super().__init__(
            CsvDatasetV2(
                filenames,
                record_defaults,
                compression_type,
                buffer_size,
                header,
                field_delim,
                use_quote_delim,
                na_value,
                select_cols,
            )
        )

"""`SqlDataset`: the rows of a query of a database."""

from __future__ import annotations

from typing import Any

from tinytf._gen import gen_ops
from tinytf._src.data import nest
from tinytf._src.data.dataset import DatasetSource
from tinytf._src.data.dataset_v1 import DatasetV1Adapter
from tinytf._src.exports import tf_export
from tinytf._src.framework.composites.type_spec import TensorSpec
from tinytf._src.framework.tensors.conversion import convert_to_tensor
from tinytf._src.framework.values import dtypes


@tf_export("compat.v2.data.experimental.SqlDataset")
class SqlDatasetV2(DatasetSource):
    """The rows of the result of a SQL query."""

    def __init__(self, driver_name: Any, data_source_name: Any, query: Any, output_types: Any) -> None:
        """Makes the dataset.

        Args:
          driver_name: string or string tensor, the kind of database: "sqlite".
          data_source_name: string or string tensor, the database: the name of its file.
          query: string or string tensor.
          output_types: tuple of the DTypes of the columns.
        """
        driver = convert_to_tensor(driver_name, dtype=dtypes.string, name="driver_name")
        source = convert_to_tensor(data_source_name, dtype=dtypes.string, name="data_source_name")
        query = convert_to_tensor(query, dtype=dtypes.string, name="query")
        self._structure = nest.map_structure(lambda dtype: TensorSpec([], dtype), output_types)
        super().__init__(gen_ops.sql_dataset(driver, source, query, **self._flat_structure))

    @property
    def element_spec(self) -> Any:
        """The specification of a row: a tuple of scalars."""
        return self._structure


@tf_export("data.experimental.SqlDataset")
class SqlDatasetV1(DatasetV1Adapter):
    """The rows of the result of a SQL query."""

    def __init__(self, driver_name: Any, data_source_name: Any, query: Any, output_types: Any) -> None:
        """Makes the dataset.

        Args:
          driver_name: string or string tensor, the kind of database: "sqlite".
          data_source_name: string or string tensor, the database: the name of its file.
          query: string or string tensor.
          output_types: tuple of the DTypes of the columns.
        """
        super().__init__(SqlDatasetV2(driver_name, data_source_name, query, output_types))

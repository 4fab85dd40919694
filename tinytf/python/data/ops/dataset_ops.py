"""TensorFlow's path to datasets and the base classes of programs' own ones."""

from tinytf._src.data.dataset import (
    DatasetSource,
    DatasetSpec,
    DatasetV2,
    UnaryDataset,
    UnaryUnchangedStructureDataset,
    from_variant,
    to_variant,
)
from tinytf._src.data.dataset import VariantDataset as _VariantDataset
from tinytf._src.data.dataset_v1 import DatasetV1, DatasetV1Adapter, make_initializable_iterator, make_one_shot_iterator
from tinytf._src.data.function_methods import AUTOTUNE
from tinytf._src.data.functions import StructuredFunctionWrapper
from tinytf._src.data.inspection import (
    get_legacy_output_classes,
    get_legacy_output_shapes,
    get_legacy_output_types,
    get_structure,
)
from tinytf._src.data.options.options import Options

Dataset = DatasetV1

__all__ = [
    "AUTOTUNE",
    "Dataset",
    "DatasetSource",
    "DatasetSpec",
    "DatasetV1",
    "DatasetV1Adapter",
    "DatasetV2",
    "Options",
    "StructuredFunctionWrapper",
    "UnaryDataset",
    "UnaryUnchangedStructureDataset",
    "_VariantDataset",
    "from_variant",
    "get_legacy_output_classes",
    "get_legacy_output_shapes",
    "get_legacy_output_types",
    "get_structure",
    "make_initializable_iterator",
    "make_one_shot_iterator",
    "to_variant",
]

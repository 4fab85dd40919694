"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence
from typing import NamedTuple

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike

def decode_csv(records: TensorLike, record_defaults: Sequence[TensorLike], field_delim: str | bytes | None = ',', use_quote_delim: bool | None = True, na_value: str | bytes | None = '', select_cols: Sequence[int] | None = (), name: str | None = None) -> list[Tensor]: ...
def decode_compressed(bytes: TensorLike, compression_type: str | bytes | None = '', name: str | None = None) -> Tensor: ...
def decode_json_example(json_examples: TensorLike, name: str | None = None) -> Tensor: ...
def decode_padded_raw(input_bytes: TensorLike, fixed_length: TensorLike, out_type: DTypeLike, little_endian: bool | None = True, name: str | None = None) -> Tensor: ...
def decode_raw(bytes: TensorLike, out_type: DTypeLike, little_endian: bool | None = True, name: str | None = None) -> Tensor: ...
class _ParseExampleOutputs(NamedTuple):
    sparse_indices: list[Tensor]
    sparse_values: list[Tensor]
    sparse_shapes: list[Tensor]
    dense_values: list[Tensor]
def parse_example(serialized: TensorLike, names: TensorLike, sparse_keys: Sequence[TensorLike], dense_keys: Sequence[TensorLike], dense_defaults: Sequence[TensorLike], sparse_types: Sequence[DTypeLike], dense_shapes: Sequence[ShapeLike], name: str | None = None) -> _ParseExampleOutputs: ...
class _ParseSequenceExampleOutputs(NamedTuple):
    context_sparse_indices: list[Tensor]
    context_sparse_values: list[Tensor]
    context_sparse_shapes: list[Tensor]
    context_dense_values: list[Tensor]
    feature_list_sparse_indices: list[Tensor]
    feature_list_sparse_values: list[Tensor]
    feature_list_sparse_shapes: list[Tensor]
    feature_list_dense_values: list[Tensor]
    feature_list_dense_lengths: list[Tensor]
def parse_sequence_example(serialized: TensorLike, debug_name: TensorLike, context_dense_defaults: Sequence[TensorLike], feature_list_dense_missing_assumed_empty: Sequence[str | bytes], context_sparse_keys: Sequence[str | bytes], context_dense_keys: Sequence[str | bytes], feature_list_sparse_keys: Sequence[str | bytes], feature_list_dense_keys: Sequence[str | bytes], Ncontext_sparse: int | None = 0, Ncontext_dense: int | None = 0, Nfeature_list_sparse: int | None = 0, Nfeature_list_dense: int | None = 0, context_sparse_types: Sequence[DTypeLike] | None = (), feature_list_dense_types: Sequence[DTypeLike] | None = (), context_dense_shapes: Sequence[ShapeLike] | None = (), feature_list_sparse_types: Sequence[DTypeLike] | None = (), feature_list_dense_shapes: Sequence[ShapeLike] | None = (), name: str | None = None) -> _ParseSequenceExampleOutputs: ...
class _ParseSingleExampleOutputs(NamedTuple):
    sparse_indices: list[Tensor]
    sparse_values: list[Tensor]
    sparse_shapes: list[Tensor]
    dense_values: list[Tensor]
def parse_single_example(serialized: TensorLike, dense_defaults: Sequence[TensorLike], num_sparse: int, sparse_keys: Sequence[str | bytes], dense_keys: Sequence[str | bytes], sparse_types: Sequence[DTypeLike], dense_shapes: Sequence[ShapeLike], name: str | None = None) -> _ParseSingleExampleOutputs: ...
class _ParseSingleSequenceExampleOutputs(NamedTuple):
    context_sparse_indices: list[Tensor]
    context_sparse_values: list[Tensor]
    context_sparse_shapes: list[Tensor]
    context_dense_values: list[Tensor]
    feature_list_sparse_indices: list[Tensor]
    feature_list_sparse_values: list[Tensor]
    feature_list_sparse_shapes: list[Tensor]
    feature_list_dense_values: list[Tensor]
def parse_single_sequence_example(serialized: TensorLike, feature_list_dense_missing_assumed_empty: TensorLike, context_sparse_keys: Sequence[TensorLike], context_dense_keys: Sequence[TensorLike], feature_list_sparse_keys: Sequence[TensorLike], feature_list_dense_keys: Sequence[TensorLike], context_dense_defaults: Sequence[TensorLike], debug_name: TensorLike, context_sparse_types: Sequence[DTypeLike] | None = (), feature_list_dense_types: Sequence[DTypeLike] | None = (), context_dense_shapes: Sequence[ShapeLike] | None = (), feature_list_sparse_types: Sequence[DTypeLike] | None = (), feature_list_dense_shapes: Sequence[ShapeLike] | None = (), name: str | None = None) -> _ParseSingleSequenceExampleOutputs: ...
def parse_tensor(serialized: TensorLike, out_type: DTypeLike, name: str | None = None) -> Tensor: ...
def serialize_tensor(tensor: TensorLike, name: str | None = None) -> Tensor: ...
def string_to_number(string_tensor: TensorLike, out_type: DTypeLike | None = _dtypes.float32, name: str | None = None) -> Tensor: ...

"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf._src.framework.values import dtypes as _dtypes
from tinytf._src.framework.graph.operation import Operation
from tinytf._src.framework.graph.tensor import Tensor
from tinytf._src.framework.graph.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.parsing_ops import _ParseExampleOutputs, _ParseSequenceExampleOutputs, _ParseSingleExampleOutputs, _ParseSingleSequenceExampleOutputs

def DecodeCSV(*, records: TensorLike, record_defaults: Sequence[TensorLike], field_delim: str | bytes | None = ',', use_quote_delim: bool | None = True, na_value: str | bytes | None = '', select_cols: Sequence[int] | None = (), name: str | None = None) -> list[Tensor]:
    """Splits each string in `records` into fields and returns a tensor for each selected field. `record_defaults` determines the dtypes and the values of fields that are empty or equal to `na_value`; an empty default makes the field required. `select_cols` holds the indices of the selected fields in ascending order; if it is empty, all fields are selected."""

def DecodeCompressed(*, bytes: TensorLike, compression_type: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Decompresses each string in `bytes`, which is a zlib stream ("ZLIB"), a gzip stream ("GZIP"), or not compressed (""), as `compression_type` says. A truncated stream yields the part that is there."""

def DecodeJSONExample(*, json_examples: TensorLike, name: str | None = None) -> Tensor:
    """Converts Examples in protobuf's JSON format to serialized Examples. Fails with InvalidArgument for texts that are not such JSON, and for objects or lists nested more than a hundred deep."""

def DecodePaddedRaw(*, input_bytes: TensorLike, fixed_length: TensorLike, out_type: DTypeLike, little_endian: bool | None = True, name: str | None = None) -> Tensor:
    """Reinterprets the first `fixed_length` bytes of each string in `input_bytes` as numbers of type `out_type`, in a new last dimension. Shorter strings are padded with zeros."""

def DecodeRaw(*, bytes: TensorLike, out_type: DTypeLike, little_endian: bool | None = True, name: str | None = None) -> Tensor:
    """Reinterprets the bytes of each string in `bytes` as numbers of type `out_type`, in a new last dimension. All strings must have the same length, a multiple of the size of `out_type`."""

def ParseExample(*, serialized: TensorLike, names: TensorLike, sparse_keys: Sequence[TensorLike], dense_keys: Sequence[TensorLike], dense_defaults: Sequence[TensorLike], sparse_types: Sequence[DTypeLike], dense_shapes: Sequence[ShapeLike], name: str | None = None) -> _ParseExampleOutputs:
    """Parses a vector of serialized Examples. The features `sparse_keys` become SparseTensors with one row per Example; the features `dense_keys` become tensors of shapes `dense_shapes`, with `dense_defaults` for Examples that lack them. If the first size of a dense shape is unknown, shorter values are padded with the default; `names` identify the Examples in messages."""

def ParseSequenceExample(*, serialized: TensorLike, debug_name: TensorLike, context_dense_defaults: Sequence[TensorLike], feature_list_dense_missing_assumed_empty: Sequence[str | bytes], context_sparse_keys: Sequence[str | bytes], context_dense_keys: Sequence[str | bytes], feature_list_sparse_keys: Sequence[str | bytes], feature_list_dense_keys: Sequence[str | bytes], Ncontext_sparse: int | None = 0, Ncontext_dense: int | None = 0, Nfeature_list_sparse: int | None = 0, Nfeature_list_dense: int | None = 0, context_sparse_types: Sequence[DTypeLike] | None = (), feature_list_dense_types: Sequence[DTypeLike] | None = (), context_dense_shapes: Sequence[ShapeLike] | None = (), feature_list_sparse_types: Sequence[DTypeLike] | None = (), feature_list_dense_shapes: Sequence[ShapeLike] | None = (), name: str | None = None) -> _ParseSequenceExampleOutputs:
    """Parses a vector of serialized SequenceExamples. Features of the context are returned as by ParseExample. Feature lists become SparseTensors, or dense tensors with one row per item, padded with zeros to the longest list, and `feature_list_dense_lengths` holds their lengths; `debug_name` identifies the examples in messages."""

def ParseSingleExample(*, serialized: TensorLike, dense_defaults: Sequence[TensorLike], num_sparse: int, sparse_keys: Sequence[str | bytes], dense_keys: Sequence[str | bytes], sparse_types: Sequence[DTypeLike], dense_shapes: Sequence[ShapeLike], name: str | None = None) -> _ParseSingleExampleOutputs:
    """Parses one serialized Example. The outputs are the features that ParseExample returns, without the batch dimension."""

def ParseSingleSequenceExample(*, serialized: TensorLike, feature_list_dense_missing_assumed_empty: TensorLike, context_sparse_keys: Sequence[TensorLike], context_dense_keys: Sequence[TensorLike], feature_list_sparse_keys: Sequence[TensorLike], feature_list_dense_keys: Sequence[TensorLike], context_dense_defaults: Sequence[TensorLike], debug_name: TensorLike, context_sparse_types: Sequence[DTypeLike] | None = (), feature_list_dense_types: Sequence[DTypeLike] | None = (), context_dense_shapes: Sequence[ShapeLike] | None = (), feature_list_sparse_types: Sequence[DTypeLike] | None = (), feature_list_dense_shapes: Sequence[ShapeLike] | None = (), name: str | None = None) -> _ParseSingleSequenceExampleOutputs:
    """Parses one serialized SequenceExample and returns the features of its context, and feature lists with one row per item. Lists named in `feature_list_dense_missing_assumed_empty` may be missing."""

def ParseTensor(*, serialized: TensorLike, out_type: DTypeLike, name: str | None = None) -> Tensor:
    """Returns the value of the serialized TensorProto `serialized`, which must have dtype `out_type`."""

def SerializeTensor(*, tensor: TensorLike, name: str | None = None) -> Tensor:
    """Serializes `tensor` as a TensorProto."""

def StringToNumber(*, string_tensor: TensorLike, out_type: DTypeLike | None = _dtypes.float32, name: str | None = None) -> Tensor:
    """Converts each string to a number of type `out_type`. Numbers are decimal; floats may also have an exponent or be hexadecimal, inf or nan; surrounding white space is ignored. Fails with InvalidArgument for other text, and for integers that are out of range."""

"""Written from the declarations of ops. Do not edit."""

# ruff: noqa
from collections.abc import Sequence

from tinytf.framework import dtypes as _dtypes
from tinytf.framework.operation import Operation
from tinytf.framework.tensor import Tensor
from tinytf.framework.type_hints import DTypeLike, RefLike, ShapeLike, TensorLike
from tinytf._gen.parsing_ops import _ParseExampleOutputs, _ParseSequenceExampleOutputs, _ParseSingleExampleOutputs, _ParseSingleSequenceExampleOutputs

def DecodeCSV(*, records: TensorLike, record_defaults: Sequence[TensorLike], field_delim: str | bytes | None = ',', use_quote_delim: bool | None = True, na_value: str | bytes | None = '', select_cols: Sequence[int] | None = (), name: str | None = None) -> list[Tensor]:
    """Fields of records, a tensor for each, of the type of its default: what an empty field, or one of `na_value`, is; without an element, there must be a field. `select_cols` are the numbers of those that count, in ascending order; all if there are none."""

def DecodeCompressed(*, bytes: TensorLike, compression_type: str | bytes | None = '', name: str | None = None) -> Tensor:
    """Each string decompressed: as a stream of zlib's ("ZLIB"), of gzip's ("GZIP"), or left as it is (""). Of streams that are cut off, what there is."""

def DecodeJSONExample(*, json_examples: TensorLike, name: str | None = None) -> Tensor:
    """Examples in the JSON of protobuf as serialized ones. InvalidArgumentError when run for texts that are no such JSON, and for objects or lists that are more than a hundred in each other."""

def DecodePaddedRaw(*, input_bytes: TensorLike, fixed_length: TensorLike, out_type: DTypeLike, little_endian: bool | None = True, name: str | None = None) -> Tensor:
    """The first `fixed_length` bytes of each string as numbers, in a new last dimension; zeros follow strings that are shorter."""

def DecodeRaw(*, bytes: TensorLike, out_type: DTypeLike, little_endian: bool | None = True, name: str | None = None) -> Tensor:
    """The bytes of each string as numbers, in a new last dimension. All strings must have as many bytes, a multiple of the size of `out_type`."""

def ParseExample(*, serialized: TensorLike, names: TensorLike, sparse_keys: Sequence[TensorLike], dense_keys: Sequence[TensorLike], dense_defaults: Sequence[TensorLike], sparse_types: Sequence[DTypeLike], dense_shapes: Sequence[ShapeLike], name: str | None = None) -> _ParseExampleOutputs:
    """The features of a vector of serialized Examples: those of `sparse_keys` as SparseTensors with a row for each Example, those of `dense_keys` in `dense_shapes`, with a default for Examples that have none; where the first size of such a shape is unknown, its default fills up what is shorter than others. `names` are for messages."""

def ParseSequenceExample(*, serialized: TensorLike, debug_name: TensorLike, context_dense_defaults: Sequence[TensorLike], feature_list_dense_missing_assumed_empty: Sequence[str | bytes], context_sparse_keys: Sequence[str | bytes], context_dense_keys: Sequence[str | bytes], feature_list_sparse_keys: Sequence[str | bytes], feature_list_dense_keys: Sequence[str | bytes], Ncontext_sparse: int | None = 0, Ncontext_dense: int | None = 0, Nfeature_list_sparse: int | None = 0, Nfeature_list_dense: int | None = 0, context_sparse_types: Sequence[DTypeLike] | None = (), feature_list_dense_types: Sequence[DTypeLike] | None = (), context_dense_shapes: Sequence[ShapeLike] | None = (), feature_list_sparse_types: Sequence[DTypeLike] | None = (), feature_list_dense_shapes: Sequence[ShapeLike] | None = (), name: str | None = None) -> _ParseSequenceExampleOutputs:
    """The features of a vector of serialized SequenceExamples: those of their contexts as ParseExample's, lists of features as SparseTensors or as tensors with a row for each item, filled up to the longest list with zeros, and the lengths of these. `debug_name` is for messages."""

def ParseSingleExample(*, serialized: TensorLike, dense_defaults: Sequence[TensorLike], num_sparse: int, sparse_keys: Sequence[str | bytes], dense_keys: Sequence[str | bytes], sparse_types: Sequence[DTypeLike], dense_shapes: Sequence[ShapeLike], name: str | None = None) -> _ParseSingleExampleOutputs:
    """The features of one serialized Example, as ParseExample's without the dimension of the batch."""

def ParseSingleSequenceExample(*, serialized: TensorLike, feature_list_dense_missing_assumed_empty: TensorLike, context_sparse_keys: Sequence[TensorLike], context_dense_keys: Sequence[TensorLike], feature_list_sparse_keys: Sequence[TensorLike], feature_list_dense_keys: Sequence[TensorLike], context_dense_defaults: Sequence[TensorLike], debug_name: TensorLike, context_sparse_types: Sequence[DTypeLike] | None = (), feature_list_dense_types: Sequence[DTypeLike] | None = (), context_dense_shapes: Sequence[ShapeLike] | None = (), feature_list_sparse_types: Sequence[DTypeLike] | None = (), feature_list_dense_shapes: Sequence[ShapeLike] | None = (), name: str | None = None) -> _ParseSingleSequenceExampleOutputs:
    """The features of one serialized SequenceExample: those of its context, and lists of features with a row for each item. Lists that `feature_list_dense_missing_assumed_empty` names may be missing."""

def ParseTensor(*, serialized: TensorLike, out_type: DTypeLike, name: str | None = None) -> Tensor:
    """The value of a serialized TensorProto, which must be of type `out_type`."""

def SerializeTensor(*, tensor: TensorLike, name: str | None = None) -> Tensor:
    """The tensor as a serialized TensorProto."""

def StringToNumber(*, string_tensor: TensorLike, out_type: DTypeLike | None = _dtypes.float32, name: str | None = None) -> Tensor:
    """Each string as the number that it is: decimal, for floats also with an exponent, hexadecimal, inf or nan; with white space around it. InvalidArgument for others, and for integers that `out_type` does not have."""

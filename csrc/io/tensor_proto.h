#pragma once

#include <optional>
#include <string_view>

#include "io/wire.h"
#include "tensor/partial_shape.h"
#include "tensor/tensor.h"

namespace tinytf {

// Shapes and values as TensorFlow's messages TensorShapeProto and TensorProto.

/// The dtype of a DataType number, or of a reference to it; nullopt for other numbers.
std::optional<DType> dtype_of_number(int64_t number);

/// Writes the fields of a TensorShapeProto.
void write_shape(WireWriter& to, const PartialShape& shape);
/// Negative sizes become unknown. InvalidArgument for malformed bytes.
Result<PartialShape> read_shape(std::string_view bytes);

/// Writes the fields of a TensorProto of `shape`. `elements` has all its elements or fewer; then the last one fills the
/// rest. The dtype and the count decide whether they are written one by one or as memory. InvalidArgument from 2 GiB
/// on, and for dtypes without such a form.
Status write_tensor(WireWriter& to, const Tensor& elements, const Shape& shape);

/// Writes the fields of a TensorProto of a value: in its own form (see tensor/written_form.h), or else as write_tensor.
Status write_as_formed(WireWriter& to, const Tensor& value);

/// Writes the fields of a TensorProto as TensorFlow's kernels do: strings one by one, all other elements as memory.
/// InvalidArgument for dtypes without such a form.
Status write_tensor_memory(WireWriter& to, const Tensor& value);

/// Writes only the field of a TensorProto that has the elements one by one. InvalidArgument for dtypes without such a
/// form.
Status write_elements(WireWriter& to, const Tensor& value);
/// Reads the elements stored one by one in a TensorProto, which may lack dtype and shape, as a vector of at most
/// `most`. InvalidArgument for malformed bytes and for dtypes without such a form.
Result<Tensor> read_elements(std::string_view bytes, DType dtype, int64_t most);

/// The elements of a TensorProto, as a vector, and the shape that they fill: the last element, or zero if there is
/// none, fills the rest.
struct TensorElements {
  Tensor elements;
  Shape shape;
  bool as_memory = false;  ///< Whether they were written as memory, which has all of them.

  /// Whether write_tensor would write the same form.
  bool in_usual_form() const;
};

/// Elements beyond the shape's count are ignored. InvalidArgument for malformed bytes, and for shapes and memory that
/// do not fit; Unimplemented for dtypes without values. The message names the problem, not the place. ResourceExhausted
/// if memory runs out.
Result<TensorElements> read_tensor_elements(std::string_view bytes);

}  // namespace tinytf

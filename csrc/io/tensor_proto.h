#pragma once

#include <optional>
#include <string_view>

#include "io/wire.h"
#include "tensor/partial_shape.h"
#include "tensor/tensor.h"

namespace tinytf {

// Shapes and values as TensorFlow's messages TensorShapeProto and TensorProto.

/// The type of a number of DataType, without the reference; none for other numbers.
std::optional<DType> dtype_of_number(int64_t number);

/// Writes the fields of a TensorShapeProto.
void write_shape(WireWriter& to, const PartialShape& shape);
/// Negative sizes are unknown ones. InvalidArgument for bytes that are no such message.
Result<PartialShape> read_shape(std::string_view bytes);

/// Writes the fields of a TensorProto that is to have `shape`: of all elements if `elements` has them, else of those
/// that there are. Types and counts decide whether they stand one by one or as memory. InvalidArgument for 2 GiB and
/// more, and for types without such a form.
Status write_tensor(WireWriter& to, const Tensor& elements, const Shape& shape);

/// Writes the fields of a TensorProto of a value: in its form (see tensor/written_form.h), or else as write_tensor.
Status write_as_formed(WireWriter& to, const Tensor& value);

/// Writes the fields of a TensorProto as kernels of TensorFlow do: strings one by one, all other elements as memory.
/// InvalidArgument for types without such a form.
Status write_tensor_memory(WireWriter& to, const Tensor& value);

/// Writes the field of a TensorProto that has the elements one by one, and nothing else. InvalidArgument for types
/// without such a form.
Status write_elements(WireWriter& to, const Tensor& value);
/// The elements that stand one by one in a TensorProto that may have no type and shape, as a vector; no more than
/// `most`. InvalidArgument for bytes that are no such message, and types without such a form.
Result<Tensor> read_elements(std::string_view bytes, DType dtype, int64_t most);

/// The elements of a TensorProto, as a vector, and the shape that they fill: the last one, or zero if there is none,
/// stands for those that follow.
struct TensorElements {
  Tensor elements;
  Shape shape;
  bool as_memory = false;  ///< whether they were written as memory, all of them then

  /// Whether write_tensor would write them so.
  bool in_usual_form() const;
};

/// Of more elements than the shape has the first count. InvalidArgument for bytes that are no such message, and for
/// shapes and memory that do not fit; Unimplemented for types that have no values; the text says what is wrong, not
/// where. ResourceExhausted where there is no memory.
Result<TensorElements> read_tensor_elements(std::string_view bytes);

}  // namespace tinytf

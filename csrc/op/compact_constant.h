#pragma once

#include <optional>

#include "op/attr.h"

namespace tinytf {

/// The value of a Const given by few elements in row-major order: the last one repeats for the remaining elements,
/// which are zero if there are no elements. It is stored in the attr `value` as a list of two tensors, elements and
/// shape, so that it cannot be mistaken for a plain tensor.
class CompactConstant {
 public:
  /// `elements` is a vector. Fails like Shape::checked, and if there are more elements than the shape has.
  static Result<CompactConstant> make(Tensor elements, const Shape& shape);
  /// Reads a compact constant from an attr; none if the attr holds something else.
  static std::optional<CompactConstant> of(const AttrValue& value);

  AttrValue attr() const;
  DType dtype() const { return elements_.dtype(); }
  const Tensor& elements() const { return elements_; }
  const Shape& shape() const { return shape_; }

  /// Expands it to all elements. ResourceExhausted if memory is exhausted.
  Result<Tensor> materialise(Allocator& allocator) const;

 private:
  CompactConstant(Tensor elements, Shape shape) : elements_(std::move(elements)), shape_(std::move(shape)) {}

  Tensor elements_;
  Shape shape_;
};

}  // namespace tinytf

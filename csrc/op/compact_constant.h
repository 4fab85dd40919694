#pragma once

#include <optional>

#include "op/attr.h"

namespace tinytf {

/// The value of a Const that is told by few elements: in row-major order, the last of which stands for all that follow;
/// zeros if there are none. It takes the place of a tensor in the attr `value`, as a list of two tensors, so that
/// nobody takes it for one.
class CompactConstant {
 public:
  /// `elements` is a vector. Fails as Shape::checked, and if there are more elements than the shape has.
  static Result<CompactConstant> make(Tensor elements, const Shape& shape);
  /// The one in the attr; none if it holds something else.
  static std::optional<CompactConstant> of(const AttrValue& value);

  AttrValue attr() const;
  DType dtype() const { return elements_.dtype(); }
  const Tensor& elements() const { return elements_; }
  const Shape& shape() const { return shape_; }

  /// All elements. ResourceExhausted if there is no memory for them.
  Result<Tensor> materialise(Allocator& allocator) const;

 private:
  CompactConstant(Tensor elements, Shape shape) : elements_(std::move(elements)), shape_(std::move(shape)) {}

  Tensor elements_;
  Shape shape_;
};

}  // namespace tinytf

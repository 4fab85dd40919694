#pragma once

#include "data/element.h"
#include "op/kernel.h"

namespace tinytf::ops {

/// How one component of elements is padded.
struct ComponentPadding {
  PartialShape shape;  ///< of known rank; an unknown dimension is as large as in the largest element
  Tensor value;        ///< a scalar
};

/// Stacks component `i` of the elements, each padded at the end of its dimensions to equal shapes. There is at least
/// one element, each of which has the component. InvalidArgument or DataLoss with TensorFlow's text.
Result<Tensor> padded_rows(Allocator& allocator, const std::vector<data::Element>& elements, size_t i,
                           const ComponentPadding& padding);

}  // namespace tinytf::ops

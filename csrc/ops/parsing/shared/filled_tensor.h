#pragma once

#include <cstring>

#include "io/tensor_proto.h"
#include "op/kernel.h"

namespace tinytf::ops {

/// The value of a TensorProto, expanded to its full size: the last given element is repeated, and without any element
/// it is zero. The loop stops if the step is over.
inline Result<Tensor> filled_tensor(const KernelContext& ctx, const TensorElements& found) {
  const Tensor& elements = found.elements;
  const int64_t count = found.shape.num_elements(), given = elements.num_elements();
  if (given == count) return elements.reshaped(found.shape);
  TINYTF_ASSIGN_OR_RETURN(Tensor value, ctx.allocate(elements.dtype(), found.shape));
  if (given == 0) {
    if (!is_object(value.dtype())) std::memset(value.raw(), 0, value.bytes());
    return value;
  }
  copy_elements(elements, 0, value, 0, given);
  ctx.parallel().run(count - given, 1024, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) copy_elements(elements, given - 1, value, given + i, 1);
  });
  return value;
}

}  // namespace tinytf::ops

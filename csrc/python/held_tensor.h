#pragma once

#include "tensor/tensor.h"

namespace tinytf::python {

/// A value that a step yielded, as it is: neither an array nor a copy. As long as one is held, whoever updates the
/// variable that has the value writes to other memory. Steps take it as a feed.
struct HeldTensor {
  Tensor value;
};

}  // namespace tinytf::python

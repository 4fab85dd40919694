#pragma once

#include "tensor/tensor.h"

namespace tinytf::python {

/// A value that a step returned, neither converted to an array nor copied. While it is held, an update of the variable
/// that has the value writes to new memory. Can be fed to steps.
struct HeldTensor {
  Tensor value;
};

}  // namespace tinytf::python

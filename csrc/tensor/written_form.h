#pragma once

#include "tensor/tensor.h"

namespace tinytf {

/// How a TensorProto represents the elements of a tensor: all of them as raw memory, or the first `elements` of them
/// one by one. In the latter form the last one repeats for the remaining elements, which are zero if `elements` is 0.
struct WrittenForm {
  bool as_memory = false;
  int64_t elements = 0;  ///< at most as many as the tensor has; unused if as_memory
};

/// Returns the same value with `form` attached to its buffer, and so to copies of the tensor: constants are serialized
/// in the form in which they were read. The caller gives `value` up, because the unique owner of the result may write
/// to the memory.
Tensor in_form(Tensor value, WrittenForm form);

/// The form that in_form attached, valid as long as the value lives; null if there is none.
const WrittenForm* written_form(const Tensor& value);

}  // namespace tinytf

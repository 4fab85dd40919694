#pragma once

#include "tensor/tensor.h"

namespace tinytf {

/// How a message has the elements of a tensor: all of them as memory, or `elements` of them one by one, of which the
/// last one stands for those that follow; zeros if there are none.
struct WrittenForm {
  bool as_memory = false;
  int64_t elements = 0;  ///< at most as many as the tensor has; nobody asks if they are memory
};

/// The same value, whose memory knows how messages have it, and copies of the tensor with it: constants are written as
/// they were made. The caller gives the value away: whoever is the only owner of the result may write into it.
Tensor in_form(Tensor value, WrittenForm form);

/// The form that in_form gave the value, as long as it lives; null if it has none.
const WrittenForm* written_form(const Tensor& value);

}  // namespace tinytf

#pragma once

#include "io/tensor_slice.h"
#include "op/kernel.h"

namespace tinytf::ops {

/// Checks the inputs that SaveV2 and RestoreV2 share: a prefix, tensor names, and as many texts that name slices. Fails
/// with InvalidArgument.
inline Status check_checkpoint_inputs(const KernelContext& ctx) {
  const Tensor& prefix = ctx.input(0);
  const Tensor& names = ctx.input(1);
  const Tensor& texts = ctx.input(2);
  if (prefix.num_elements() != 1) {
    return invalid_argument("Input prefix should have a single element, got ", prefix.num_elements(), " instead.");
  }
  if (names.rank() != 1 || texts.rank() != 1) {
    return invalid_argument("Input tensor_names and shape_and_slices should be an 1-D tensors, got ",
                            names.shape().to_string(), " and ", texts.shape().to_string(), " instead.");
  }
  if (names.num_elements() != texts.num_elements()) {
    return invalid_argument("tensor_names and shape_and_slices have different number of elements: ",
                            names.num_elements(), " vs. ", texts.num_elements());
  }
  return Status();
}

/// Parses a text that names the slice saved from `tensor`. The text must not be empty, and its slice must have the
/// tensor's shape.
inline Result<ShapeAndSlice> parse_saved_slice(const std::string& text, const Tensor& tensor) {
  TINYTF_ASSIGN_OR_RETURN(ShapeAndSlice where, parse_shape_and_slice(text));
  if (where.slice_shape == tensor.shape()) return where;
  return invalid_argument("Slice in shape_and_slice specification does not match the shape of the tensor to  save: ",
                          text, ", tensor: ", tensor.shape().to_string());
}

}  // namespace tinytf::ops

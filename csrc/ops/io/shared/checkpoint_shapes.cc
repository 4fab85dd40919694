#include "ops/io/shared/checkpoint_shapes.h"

#include "io/tensor_slice.h"

namespace tinytf::ops {

Status saved_tensors_shape(ShapeContext& c, int last) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 0));
  const int64_t tensors = c.num_inputs() - 1 - last;
  for (int i = 1; i <= last; ++i) {
    TINYTF_RETURN_IF_ERROR(c.with_rank(i, 1));
    const int64_t entries = c.input(i).dim(0);
    if (entries >= 0 && entries != tensors) {
      return invalid_argument("Dimension must be ", tensors, " but is ", entries);
    }
  }
  return Status();
}

Status two_scalars_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 0));
  return c.with_rank(1, 0);
}

Status set_slice_shapes(ShapeContext& c, int texts_input) {
  const Tensor* texts = c.input_tensor(texts_input);
  if (texts == nullptr) return Status();
  if (texts->num_elements() != c.num_outputs()) {
    return invalid_argument("The number of shape_and_slice doesn't match tensor outputs.");
  }
  for (int i = 0; i < c.num_outputs(); ++i) {
    const std::string& text = texts->data<std::string>()[i];
    if (text.empty()) continue;
    TINYTF_ASSIGN_OR_RETURN(const ShapeAndSlice parsed, parse_shape_and_slice(text));
    c.set_output(i, parsed.slice_shape);
  }
  return Status();
}

}  // namespace tinytf::ops

#include "op/registration.h"
#include "ops/array/shared/element_moves.h"
#include "ops/array/shared/views.h"

namespace tinytf::ops {
namespace {

class SliceKernel final : public Kernel {
 public:
  explicit SliceKernel(KernelInit&) : slice_(kernels::table().copy.slice_read) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    const Tensor& begin = ctx.input(1);
    const Tensor& size = ctx.input(2);
    const int rank = input.rank();
    if (begin.rank() != 1 || size.rank() != 1 || begin.dim(0) != rank || size.dim(0) != rank) {
      return invalid_argument("Expected begin and size arguments to be 1-D tensors of size ", rank, ", but got shapes ",
                              begin.shape().to_string(), " and ", size.shape().to_string(), " instead.");
    }
    Dims from, out;
    int whole_after = 0;  // dimensions [whole_after, rank) are selected whole
    for (int d = 0; d < rank; ++d) {
      const int64_t b = begin.int_at(d), available = input.dim(d);
      int64_t s = size.int_at(d);
      if (b < 0 || b > available) {
        return invalid_argument("Expected begin[", d, "] in [0, ", available, "], but got ", b);
      }
      if (s == -1) s = available - b;
      if (s < 0 || s > available - b) {
        return invalid_argument("Expected size[", d, "] in [0, ", available - b, "], but got ", s);
      }
      from.push_back(b);
      out.push_back(s);
      if (s != available) whole_after = d + 1;
    }
    if (whole_after == 0) {
      ctx.set_output(0, input);
      return Status();
    }
    if (whole_after == 1 && worth_sharing(input.dtype(), Shape(out))) {
      TINYTF_ASSIGN_OR_RETURN(Tensor rows, input.rows(from[0], from[0] + out[0]));
      ctx.set_output(0, std::move(rows));
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * result, ctx.allocate_output(0, Shape(out)));
    if (result->num_elements() == 0) return Status();
    if (whole_after == 1) {
      copy_elements(input, from[0] * input.shape().product(1, rank), *result, 0, result->num_elements());
      return Status();
    }
    const Dims ones(static_cast<size_t>(rank), 1);
    return move_elements(ctx, input, *result, [&](const void* src, void* dst, size_t bytes) {
      slice_(src, dst, bytes, rank, input.shape().dims().data(), from.data(), ones.data(), out.data(), ctx.parallel());
    });
  }

 private:
  decltype(kernels::CopyTable::slice_read) const slice_;
};

/// Sizes are not checked against the input here: as in TensorFlow, the kernel checks them.
Status slice_shape(ShapeContext& c) {
  PartialShape input = c.input(0), vector, sizes_vector;
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1, &vector));
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 1, &sizes_vector));
  TINYTF_ASSIGN_OR_RETURN(vector, vector.merge(sizes_vector));
  if (vector.dim(0) >= 0) TINYTF_RETURN_IF_ERROR(c.with_rank(0, vector.dim(0), &input));
  const PartialShape begin = c.input_as_shape(1);
  PartialShape out = c.input_as_shape(2);
  if (!out.known_rank()) {
    if (input.known_rank()) c.set_output(0, PartialShape::unknown_of_rank(input.rank()));
    return Status();
  }
  // A known size of -1 means up to the end; a size that is unknown stays unknown.
  const Tensor* sizes = c.input_tensor(2);
  for (int d = 0; sizes != nullptr && d < out.rank(); ++d) {
    if (out.dim(d) >= 0) continue;
    const int64_t available = input.known_rank() ? input.dim(d) : kUnknownDim;
    const int64_t from = begin.known_rank() ? begin.dim(d) : kUnknownDim;
    if (available < 0 || from < 0) continue;
    if (from > available) {
      return invalid_argument("Negative dimension size caused by subtracting ", from, " from ", available);
    }
    out.set_dim(d, available - from);
  }
  c.set_output(0, std::move(out));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_slice) {
  using namespace tinytf::ops;
  ops.op("Slice")
      .input("input: T")
      .input("begin: Index")
      .input("size: Index")
      .output("output: T")
      .attr("T: type")
      .attr("Index: {int32, int64}")
      .shape(slice_shape)
      .doc(
          "Returns the block of `input` that starts at `begin` and has shape `size`, where -1 means up to the end of "
          "the dimension.");
  kernels.add<SliceKernel>("Slice");
}

#include "op/registration.h"

namespace tinytf::ops {
namespace {

Status read_shapes(KernelContext& ctx, Dims* a, Dims* b) {
  for (int i = 0; i < 2; ++i) {
    const Tensor& input = ctx.input(i);
    if (input.rank() != 1) return invalid_argument("In[", i, "] must be a vector.", input.shape().to_string());
    Dims* dims = i == 0 ? a : b;
    for (int64_t k = 0; k < input.dim(0); ++k) dims->push_back(input.int_at(k));
  }
  return Status();
}

Status write(KernelContext& ctx, int i, const Dims& values) {
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(i, Shape({static_cast<int64_t>(values.size())})));
  for (size_t k = 0; k < values.size(); ++k) {
    if (out->dtype() == DType::kInt64) {
      out->data<int64_t>()[k] = values[k];
    } else {
      out->data<int32_t>()[k] = static_cast<int32_t>(values[k]);
    }
  }
  return Status();
}

class BroadcastArgsKernel final : public Kernel {
 public:
  explicit BroadcastArgsKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    Dims a, b;
    TINYTF_RETURN_IF_ERROR(read_shapes(ctx, &a, &b));
    TINYTF_ASSIGN_OR_RETURN(const Shape joined, shapes::broadcast(Shape(a), Shape(b)));
    return write(ctx, 0, joined.dims());
  }
};

/// Computes the dimensions over which the gradient of a broadcast result must be summed to get the gradient of each
/// operand. As in TensorFlow, dimensions of size 1 in both shapes are included, unless the shapes are equal.
class BroadcastGradientArgsKernel final : public Kernel {
 public:
  explicit BroadcastGradientArgsKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    Dims a, b, over_a, over_b;
    TINYTF_RETURN_IF_ERROR(read_shapes(ctx, &a, &b));
    if (a != b) {
      const size_t rank = std::max(a.size(), b.size());
      for (size_t i = 0; i < rank; ++i) {
        const int64_t x = i + a.size() >= rank ? a[i + a.size() - rank] : 1;
        const int64_t y = i + b.size() >= rank ? b[i + b.size() - rank] : 1;
        // broadcast builds the error message.
        if (x != y && x != 1 && y != 1) return shapes::broadcast(Shape(a), Shape(b)).status();
        if (x == 1) over_a.push_back(static_cast<int64_t>(i));
        if (y == 1) over_b.push_back(static_cast<int64_t>(i));
      }
    }
    TINYTF_RETURN_IF_ERROR(write(ctx, 0, over_a));
    return write(ctx, 1, over_b);
  }
};

Status vectors(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 1));
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  for (int i = 0; i < c.num_outputs(); ++i) c.set_output(i, PartialShape::vector(kUnknownDim));
  return Status();
}

Status broadcast_args_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(vectors(c));
  if (c.input(0).known_rank() && c.input(1).known_rank() && c.input(0).dim(0) >= 0 && c.input(1).dim(0) >= 0) {
    c.set_output(0, PartialShape::vector(std::max(c.input(0).dim(0), c.input(1).dim(0))));
  }
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_broadcast_args) {
  using namespace tinytf::ops;
  ops.op("BroadcastGradientArgs")
      .input("s0: T")
      .input("s1: T")
      .output("r0: T")
      .output("r1: T")
      .attr("T: {int32, int64} = DT_INT32")
      .shape(vectors)
      .not_differentiable()
      .doc(
          "For operands of shapes `s0` and `s1` that are broadcast together, computes the dimensions over which the "
          "gradient must be summed for each operand: `r0` for the first and `r1` for the second.");
  kernels.add<BroadcastGradientArgsKernel>("BroadcastGradientArgs");

  ops.op("BroadcastArgs")
      .input("s0: T")
      .input("s1: T")
      .output("r0: T")
      .attr("T: {int32, int64} = DT_INT32")
      .shape(broadcast_args_shape)
      .no_gradient()
      .doc("Computes the shape `r0` to which the shapes `s0` and `s1` broadcast.");
  kernels.add<BroadcastArgsKernel>("BroadcastArgs");
}

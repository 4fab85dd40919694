#include "op/registration.h"
#include "ops/math/shared/arithmetic_type.h"

namespace tinytf::ops {
namespace {

Status cross_shape(ShapeContext& c) {
  for (int i = 0; i < 2; ++i) {
    const PartialShape& input = c.input(i);
    TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(i, 1));
    if (input.known_rank() && !merge_dims(input.dim(-1), 3).ok()) {
      return invalid_argument("Dimension must be 3 but is ", input.dim(-1));
    }
  }
  TINYTF_ASSIGN_OR_RETURN(PartialShape shape, c.input(0).merge(c.input(1)));
  c.set_output(0, std::move(shape));
  return Status();
}

template <class T>
class CrossKernel final : public Kernel {
 public:
  explicit CrossKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& a = ctx.input(0);
    const Tensor& b = ctx.input(1);
    if (a.shape() != b.shape()) {
      return invalid_argument("Both inputs must be of same shape: ", a.shape().to_string(), " vs. ",
                              b.shape().to_string());
    }
    if (a.rank() == 0) return invalid_argument("Input must be at least 1D");
    if (a.dim(a.rank() - 1) != 3) {
      return invalid_argument("Cross-products are only defined for 3-element vectors.");
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * product, ctx.allocate_output(0, a.shape()));
    using A = Wrapping<T>;
    constexpr double kCost = 5;  // nanoseconds per vector
    ctx.parallel().run(a.num_elements() / 3, 16, kCost, [&](int64_t begin, int64_t end) {
      for (int64_t i = 3 * begin; i < 3 * end; i += 3) {
        const T* x = a.data<T>() + i;
        const T* y = b.data<T>() + i;
        for (int k = 0; k < 3; ++k) {
          const int p = (k + 1) % 3, q = (k + 2) % 3;
          product->data<T>()[i + k] =
              static_cast<T>(static_cast<A>(x[p]) * static_cast<A>(y[q]) - static_cast<A>(x[q]) * static_cast<A>(y[p]));
        }
      }
    });
    return Status();
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_cross) {
  ops.op("Cross")
      .input("a: T")
      .input("b: T")
      .output("product: T")
      .attr("T: realnumbertype")
      .shape(cross_shape)
      .endpoint("linalg.cross")
      .endpoint("cross")
      .doc(
          "Computes the cross products of the 3-vectors in the last dimension of `a` and `b`, which must have equal "
          "shapes.");
  kernels.add_typed<CrossKernel, float, double, Half, BFloat16, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t>(
      "Cross", "T");
}

#include <cmath>

#include "op/registration.h"

namespace tinytf::ops {
namespace {

Status approximate_equal_shape(ShapeContext& c) {
  c.set_output(0, c.input(0));
  return c.input(0).merge(c.input(1)).status();
}

template <class T>
class ApproximateEqualKernel final : public Kernel {
 public:
  explicit ApproximateEqualKernel(KernelInit& init) : tolerance_(static_cast<T>(init.attr<float>("tolerance"))) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& x = ctx.input(0);
    const Tensor& y = ctx.input(1);
    if (x.shape() != y.shape()) {
      return invalid_argument("x and y must be of the same shape. x shape: ", x.shape().to_string(),
                              ". y shape: ", y.shape().to_string());
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * z, ctx.allocate_output(0, x.shape()));
    constexpr double kCost = 0.5;  // nanoseconds
    ctx.parallel().run(x.num_elements(), 64, kCost, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        z->data<bool>()[i] = std::abs(x.data<T>()[i] - y.data<T>()[i]) < tolerance_;
      }
    });
    return Status();
  }

 private:
  const T tolerance_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_approximate_equal) {
  ops.op("ApproximateEqual")
      .input("x: T")
      .input("y: T")
      .output("z: bool")
      .attr("T: numbertype")
      .attr("tolerance: float = 1e-05")
      .commutative()
      .shape(approximate_equal_shape)
      .not_differentiable()
      .doc("Tests element-wise whether abs(x - y) is less than `tolerance`. x and y must have equal shapes.");
  kernels.add_typed<ApproximateEqualKernel, float, double>("ApproximateEqual", "T");
}

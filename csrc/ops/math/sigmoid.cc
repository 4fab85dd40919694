#include "ops/math/shared/elementwise.h"

namespace tinytf::ops {
namespace {

/// z = f(y, dy) without broadcasting: y and dy have equal element counts, and z has the shape of y.
class GradientKernel final : public BinaryKernel {
 public:
  using BinaryKernel::BinaryKernel;

  Status compute(KernelContext& ctx) override {
    const int64_t n = ctx.input(0).num_elements(), given = ctx.input(1).num_elements();
    if (n == given) return run_flat(ctx);
    return invalid_argument("The two arguments to a cwise op must have same number of elements, got ", n, " and ",
                            given);
  }
};

}  // namespace
}  // namespace tinytf::ops

// Functions whose gradient is computed from their result, and these gradients.
TINYTF_OPS(math_sigmoid) {
  using kernels::Binary;
  using kernels::Unary;

  unary_op(ops, "Sigmoid", kFloatComplexText).doc("Computes 1 / (1 + exp(-x)) element-wise.");
  add_unary_kernel(kernels, "Sigmoid", Unary::kSigmoid, any_of({kAllFloats, kComplexes}));

  unary_op(ops, "Tanh", kFloatComplexText)
      .trait(Trait::kMapsSparse)
      .endpoint("math.tanh")
      .endpoint("nn.tanh")
      .endpoint("tanh")
      .doc("Computes the hyperbolic tangent of x element-wise.");
  add_unary_kernel(kernels, "Tanh", Unary::kTanh, any_of({kAllFloats, kComplexes}));

  const auto gradient = [&](const char* name, Binary function, std::vector<DType> types, const char* doc) {
    ops.op(name)
        .input("y: T")
        .input("dy: T")
        .output("z: T")
        .attr(str_cat("T: ", kFloatComplexText))
        .shape(shapes::unchanged)
        .doc(doc);
    add_loop_kernel<GradientKernel>(kernels, name, function).where("T", std::move(types));
  };
  gradient("SigmoidGrad", Binary::kSigmoidGrad, any_of({kAllFloats, kComplexes}),
           "Computes the gradient of Sigmoid, dy * y * (1 - y), from its result y = sigmoid(x) and the gradient dy of "
           "that.");
  gradient("TanhGrad", Binary::kTanhGrad, any_of({kAllFloats, kComplexes}),
           "Computes the gradient of Tanh, dy * (1 - y * y), from its result y = tanh(x) and the gradient dy of that.");
  gradient("SqrtGrad", Binary::kSqrtGrad, any_of({kAllFloats, kComplexes}),
           "Computes the gradient of Sqrt, dy * 0.5 / y, from its result y = sqrt(x) and the gradient dy of that.");
  gradient(
      "RsqrtGrad", Binary::kRsqrtGrad, any_of({kAllFloats, kComplexes}),
      "Computes the gradient of Rsqrt, dy * -0.5 * y ** 3, from its result y = rsqrt(x) and the gradient dy of that.");
  gradient("ReciprocalGrad", Binary::kReciprocalGrad, any_of({kAllFloats, kComplexes}),
           "Computes the gradient of Reciprocal, -dy * y * y, from its result y = 1 / x and the gradient dy of that.");
  gradient("InvGrad", Binary::kReciprocalGrad, any_of({kAllFloats, kComplexes}),
           "Computes the gradient of Reciprocal, -dy * y * y, from its result y = 1 / x and the gradient dy of that.");
}

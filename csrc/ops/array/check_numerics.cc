#include <atomic>
#include <cmath>

#include "op/registration.h"

namespace tinytf::ops {
namespace {

template <class T>
class CheckNumericsKernel final : public Kernel {
 public:
  explicit CheckNumericsKernel(KernelInit& init) : message_(init.attr<std::string>("message")) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& input = ctx.input(0);
    ctx.set_output(0, input);
    const T* data = input.data<T>();
    std::atomic<bool> has_nan{false}, has_inf{false};
    constexpr double kCost = 0.5;  // nanoseconds
    ctx.parallel().run(input.num_elements(), 1024, kCost, [&](int64_t begin, int64_t end) {
      bool nan = false, inf = false;
      for (int64_t i = begin; i < end; ++i) {
        const auto value = widen(data[i]);
        nan |= std::isnan(value);
        inf |= std::isinf(value);
      }
      if (nan) has_nan = true;
      if (inf) has_inf = true;
    });
    const bool nan = has_nan, inf = has_inf;
    if (!nan && !inf) return Status();
    return invalid_argument(message_, " : Tensor had ", nan && inf ? "Inf and NaN" : nan ? "NaN" : "Inf", " values");
  }

 private:
  static double widen(double value) { return value; }
  static float widen(float value) { return value; }
  template <class Small>
  static float widen(Small value) {
    return static_cast<float>(value);
  }

  const std::string message_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(array_check_numerics) {
  using namespace tinytf;
  ops.op("CheckNumerics")
      .input("tensor: T")
      .output("output: T")
      .attr("T: {bfloat16, half, float, double}")
      .attr("message: string")
      .stateful()
      .trait(Trait::kChecks)
      .shape(shapes::unchanged)
      .endpoint("debugging.check_numerics")
      .endpoint("check_numerics")
      .doc(
          "Passes `tensor` on unchanged. Fails with InvalidArgument, quoting `message`, if an element is NaN or "
          "infinite.");
  kernels.add_typed<tinytf::ops::CheckNumericsKernel, float, double, Half, BFloat16>("CheckNumerics", "T");
}

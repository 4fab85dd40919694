#include <algorithm>

#include "op/registration.h"
#include "ops/math/shared/arithmetic_type.h"

namespace tinytf::ops {
namespace {

template <class T>
class ClipByValueKernel final : public Kernel {
 public:
  explicit ClipByValueKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& t = ctx.input(0);
    const Tensor& low = ctx.input(1);
    const Tensor& high = ctx.input(2);
    if ((low.rank() > 0 && low.shape() != t.shape()) || (high.rank() > 0 && high.shape() != t.shape())) {
      return invalid_argument(
          "clip_value_min and clip_value_max must be either of the same shape as input, or a scalar. ",
          "input shape: ", t.shape().to_string(), "clip_value_min shape: ", low.shape().to_string(),
          "clip_value_max shape: ", high.shape().to_string());
    }
    const T* x = t.data<T>();
    TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.forward_or_allocate(0, 0, t.shape()));
    T* out = output->data<T>();
    const T* lows = low.data<T>();
    const T* highs = high.data<T>();
    const int64_t low_step = low.rank() > 0, high_step = high.rank() > 0;
    ctx.parallel().run(t.num_elements(), 64, 1.0, [&](int64_t begin, int64_t end) {
      using A = Arithmetic<T>;
      for (int64_t i = begin; i < end; ++i) {  // NaNs in t stay; if the bounds cross, the lower one wins
        out[i] = static_cast<T>(std::max(std::min(static_cast<A>(x[i]), static_cast<A>(highs[i * high_step])),
                                         static_cast<A>(lows[i * low_step])));
      }
    });
    return Status();
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_clip_by_value) {
  ops.op("ClipByValue")
      .input("t: T")
      .input("clip_value_min: T")
      .input("clip_value_max: T")
      .output("output: T")
      .attr("T: numbertype")
      .shape(shapes::unchanged)
      .doc(
          "Clips the elements of `t` to the range from `clip_value_min` to `clip_value_max`, which are scalars or have "
          "the shape of `t`.");
  kernels.add_typed<ClipByValueKernel, float, double, Half, int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t>(
      "ClipByValue", "T");
}

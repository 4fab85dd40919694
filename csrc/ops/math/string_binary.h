#pragma once

#include <string>

#include "ops/math/elementwise.h"

namespace tinytf::ops {

/// z = f(x, y) on strings, with broadcasting. `Out` is what `Function` makes of two strings.
template <class Out, Out (*Function)(const std::string&, const std::string&)>
class StringBinaryKernel final : public Kernel {
 public:
  explicit StringBinaryKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& x = ctx.input(0);
    const Tensor& y = ctx.input(1);
    kernels::BroadcastPlan plan;
    TINYTF_RETURN_IF_ERROR(plan_broadcast({&x.shape(), &y.shape()}, &plan));
    TINYTF_ASSIGN_OR_RETURN(const Shape shape, shapes::broadcast(x.shape(), y.shape()));
    TINYTF_ASSIGN_OR_RETURN(Tensor * z, ctx.allocate_output(0, shape));
    Out* out = z->data<Out>();
    for (int64_t i = 0; i < plan.size; ++i) {
      int64_t rest = i, x_at = 0, y_at = 0;
      for (int d = plan.rank - 1; d >= 0; --d) {
        const int64_t index = rest % plan.dims[d];
        rest /= plan.dims[d];
        x_at += index * plan.strides[0][d];
        y_at += index * plan.strides[1][d];
      }
      out[i] = Function(x.data<std::string>()[x_at], y.data<std::string>()[y_at]);
    }
    return Status();
  }
};

}  // namespace tinytf::ops

#pragma once

#include <string>

#include "ops/math/shared/elementwise.h"
#include "ops/object_cost.h"

namespace tinytf::ops {

/// z = Function(x, y) on strings, with broadcasting. `Out` is the type of the result.
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
    const double cost = text_cost(x, kByteCost) + text_cost(y, kByteCost);
    ctx.parallel().run(plan.size, 64, cost, [&](int64_t begin, int64_t end) {
      for_each_broadcast(plan, begin, end, [&](int64_t i, const int64_t* at) {
        out[i] = Function(x.data<std::string>()[at[0]], y.data<std::string>()[at[1]]);
      });
    });
    return Status();
  }

 private:
  static constexpr double kByteCost = 0.1;  // nanoseconds
};

}  // namespace tinytf::ops

#pragma once

#include <utility>

#include "ops/math/shared/arithmetic_type.h"
#include "ops/math/shared/elementwise.h"

namespace tinytf::ops {

template <class... Doubles>
constexpr int arity(double (*)(Doubles...)) {
  return sizeof...(Doubles);
}

/// z = Function(x, …) element-wise with broadcasting, computed in double and rounded once to T. For special functions
/// that take hundreds of nanoseconds and have no vector loop.
template <class T, auto Function>
class FunctionKernel : public Kernel {
 public:
  explicit FunctionKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override { return broadcast(ctx, std::make_index_sequence<arity(Function)>()); }

 private:
  template <size_t... I>
  static Status broadcast(KernelContext& ctx, std::index_sequence<I...>) {
    kernels::BroadcastPlan plan;
    TINYTF_RETURN_IF_ERROR(plan_broadcast({&ctx.input(I).shape()...}, &plan));
    Shape shape = ctx.input(0).shape();
    for (size_t k = 1; k < sizeof...(I); ++k) {
      TINYTF_ASSIGN_OR_RETURN(shape, shapes::broadcast(shape, ctx.input(static_cast<int>(k)).shape()));
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * z, ctx.allocate_output(0, shape));
    const T* const in[] = {ctx.input(I).template data<T>()...};
    T* const out = z->data<T>();
    ctx.parallel().run(plan.size, 16, 200.0, [&](int64_t begin, int64_t end) {
      for_each_broadcast(plan, begin, end, [&](int64_t i, const int64_t* at) {
        out[i] = static_cast<T>(
            static_cast<Arithmetic<T>>(Function(static_cast<double>(static_cast<Arithmetic<T>>(in[I][at[I]]))...)));
      });
    });
    return Status();
  }
};

/// Example: add_function_kernels<igamma, float, double>(kernels, "Igamma").
template <auto Function, class... Ts>
void add_function_kernels(KernelRegistry& kernels, const char* op) {
  (kernels.add<FunctionKernel<Ts, Function>>(op).where("T", {dtype_of<Ts>}), ...);
}

}  // namespace tinytf::ops

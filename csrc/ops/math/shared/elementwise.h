#pragma once

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"

/// Connects element-wise loops to kernels: shapes, buffers and faults, once for all unary and all binary ops.
namespace tinytf::ops {

/// An operation with a scalar operand calls its loop directly up to this estimated cost in nanoseconds: a broadcast
/// plan would cost more.
inline constexpr float kInlineCost = 2000;

inline Status fault_status(kernels::Fault fault) {
  return fault == kernels::Fault::kNone ? Status() : invalid_argument(kernels::fault_message(fault));
}

/// Allocates output 0 with this shape. It reuses, in this order: the buffer of the previous loop iteration, so that the
/// inputs keep theirs; the buffer of the first of inputs 0 and 1 that is free and has this shape and the output's
/// dtype; else it takes new memory.
inline Result<Tensor*> binary_output(KernelContext& ctx, const Shape& shape) {
  const DType dtype = ctx.node().outputs[0].dtype;
  if (Tensor* before = ctx.output_before(0, shape)) return before;
  const int64_t n = shape.num_elements();
  for (int i = 0; i < 2; ++i) {
    if (ctx.can_forward(i, dtype, n) && ctx.input(i).shape() == shape) return ctx.forward_or_allocate(i, 0, shape);
  }
  return ctx.allocate_output(0, shape);
}

/// Makes the plan that broadcasts operands of these shapes to their common shape `out`.
inline Status plan_broadcast(std::initializer_list<const Shape*> shapes, kernels::BroadcastPlan* plan) {
  kernels::ShapeRef refs[kernels::BroadcastPlan::kMaxOperands] = {};
  int count = 0;
  for (const Shape* shape : shapes) refs[count++] = {shape->dims().data(), shape->rank()};
  switch (kernels::make_broadcast_plan(refs, count, plan)) {
    case kernels::BroadcastResult::kOk: return Status();
    case kernels::BroadcastResult::kIncompatible:
      return invalid_argument("Incompatible shapes: ",
                              str_join(shapes, " vs. ", [](const Shape* shape) { return shape->to_string(); }));
    case kernels::BroadcastResult::kTooManyDimensions: break;
  }
  return unimplemented("Broadcast between ",
                       str_join(shapes, " and ", [](const Shape* shape) { return shape->to_string(); }),
                       " is not supported yet.");
}

/// Calls f(i, at) for the elements i in [begin, end) of the result, where at[k] is the index of the corresponding
/// element of operand k. For element types without a loop.
template <class F>
void for_each_broadcast(const kernels::BroadcastPlan& plan, int64_t begin, int64_t end, F f) {
  for (int64_t i = begin; i < end; ++i) {
    int64_t at[kernels::BroadcastPlan::kMaxOperands] = {};
    int64_t rest = i;
    for (int d = plan.rank - 1; d >= 0; --d) {
      const int64_t index = rest % plan.dims[d];
      rest /= plan.dims[d];
      for (int k = 0; k < plan.operands; ++k) at[k] += index * plan.strides[k][d];
    }
    f(i, at);
  }
}

/// y = f(x), in the buffer of x if it is free.
class UnaryKernel final : public Kernel {
 public:
  UnaryKernel(KernelInit& init, kernels::Unary op)
      : loop_(kernels::table().elementwise.unary_loop(op, init.input_type(0))) {
    if (!loop_) init.fail(internal_error("no kernel loop for dtype ", dtype_name(init.input_type(0))));
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& x = ctx.input(0);
    if (Tensor* scalar = x.rank() == 0 ? ctx.scalar_before(0) : nullptr) {
      loop_.run(x.raw(), scalar->raw(), 1);
      return Status();
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor * y, ctx.forward_or_allocate(0, 0, x.shape()));
    kernels::run_unary(loop_, x.raw(), y->raw(), y->num_elements(), ctx.parallel());
    return Status();
  }

 private:
  const kernels::UnaryLoop loop_;
};

/// z = f(x, y) with NumPy broadcasting, in the buffer of an operand if it is free and has the shape of the result.
class BinaryKernel : public Kernel {
 public:
  BinaryKernel(KernelInit& init, kernels::Binary op)
      : loop_(kernels::table().elementwise.binary_loop(op, init.input_type(0))) {
    if (!loop_) init.fail(internal_error("no kernel loop for dtype ", dtype_name(init.input_type(0))));
  }

  Status compute(KernelContext& ctx) override {
    const Tensor& x = ctx.input(0);
    const Tensor& y = ctx.input(1);
    if (x.rank() == 0 && y.rank() == 0) {
      if (Tensor* z = ctx.scalar_before(0)) return fault_status(loop_.both(x.raw(), y.raw(), z->raw(), 1));
    }
    if (x.shape() == y.shape()) return run(ctx, x.shape(), loop_.both);
    if (y.rank() == 0) return run(ctx, x.shape(), loop_.right_scalar);
    if (x.rank() == 0) return run(ctx, y.shape(), loop_.left_scalar);
    return broadcast(ctx);
  }

 protected:
  /// Runs the loop element by element on operands with equal element counts.
  Status run_flat(KernelContext& ctx) const { return run(ctx, ctx.input(0).shape(), loop_.both); }

 private:
  /// Runs one of the three forms of the loop over a result of shape `shape`.
  Status run(KernelContext& ctx, const Shape& shape, kernels::BinaryLoop::Run form) const {
    const void* x = ctx.input(0).raw();
    const void* y = ctx.input(1).raw();
    TINYTF_ASSIGN_OR_RETURN(Tensor * z, binary_output(ctx, shape));
    const int64_t n = z->num_elements();
    if (form == loop_.both) return fault_status(kernels::run_binary(loop_, x, y, z->raw(), n, ctx.parallel()));
    if (static_cast<float>(n) * loop_.cost <= kInlineCost) return fault_status(form(x, y, z->raw(), n));
    kernels::BroadcastPlan plan;
    TINYTF_RETURN_IF_ERROR(plan_broadcast({&ctx.input(0).shape(), &ctx.input(1).shape()}, &plan));
    return fault_status(kernels::run_binary(loop_, plan, x, y, z->raw(), ctx.parallel()));
  }

  Status broadcast(KernelContext& ctx) const {
    const Tensor& x = ctx.input(0);
    const Tensor& y = ctx.input(1);
    kernels::BroadcastPlan plan;
    TINYTF_RETURN_IF_ERROR(plan_broadcast({&x.shape(), &y.shape()}, &plan));
    TINYTF_ASSIGN_OR_RETURN(const Shape shape, shapes::broadcast(x.shape(), y.shape()));
    TINYTF_ASSIGN_OR_RETURN(Tensor * z, binary_output(ctx, shape));
    return fault_status(kernels::run_binary(loop_, plan, x.raw(), y.raw(), z->raw(), ctx.parallel()));
  }

  const kernels::BinaryLoop loop_;
};

constexpr ElementwiseLoop elementwise_loop(kernels::Unary function) {
  return {ElementwiseLoop::kUnary, static_cast<uint8_t>(function)};
}
constexpr ElementwiseLoop elementwise_loop(kernels::Binary function) {
  return {ElementwiseLoop::kBinary, static_cast<uint8_t>(function)};
}

/// Adds a kernel K, which is constructed from KernelInit& and the kernels::Unary or kernels::Binary whose loop it runs.
template <class K, class Function>
KernelRegistry::Builder add_loop_kernel(KernelRegistry& kernels, std::string_view op, Function function) {
  return kernels.add(op, [function](KernelInit& init) { return std::make_unique<K>(init, function); })
      .elementwise(elementwise_loop(function));
}

inline void add_unary_kernel(KernelRegistry& kernels, std::string_view op, kernels::Unary function,
                             std::vector<DType> types, std::string_view attr = "T") {
  auto builder = add_loop_kernel<UnaryKernel>(kernels, op, function);
  if (!types.empty()) builder.where(attr, std::move(types));
}

inline void add_binary_kernel(KernelRegistry& kernels, std::string_view op, kernels::Binary function,
                              std::vector<DType> types, std::string_view attr = "T") {
  auto builder = add_loop_kernel<BinaryKernel>(kernels, op, function);
  if (!types.empty()) builder.where(attr, std::move(types));
}

/// Declares an op (x: T) -> y: T whose output has the shape of its input. `types` lists the allowed dtypes, as in
/// "{half, float}".
inline OpDefBuilder unary_op(OpRegistry& ops, std::string_view name, std::string_view types) {
  return ops.op(name).input("x: T").output("y: T").attr(str_cat("T: ", types)).shape(shapes::unchanged);
}

/// Declares an op (x: T, y: T) -> z: T with broadcasting.
inline OpDefBuilder binary_op(OpRegistry& ops, std::string_view name, std::string_view types) {
  return ops.op(name)
      .input("x: T")
      .input("y: T")
      .output("z: T")
      .attr(str_cat("T: ", types))
      .shape(shapes::broadcast_binary);
}

}  // namespace tinytf::ops

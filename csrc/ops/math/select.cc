#include "kernels/table.h"
#include "op/registration.h"
#include "ops/math/shared/elementwise.h"
#include "ops/object_cost.h"

namespace tinytf::ops {
namespace {

Status select_shape(ShapeContext& c) {
  const PartialShape& condition = c.input(0);
  TINYTF_ASSIGN_OR_RETURN(PartialShape data, c.input(1).merge(c.input(2)));
  if (condition.known_rank() && data.known_rank() && condition.rank() > 0) {
    if (condition.rank() != 1 || data.rank() == 0) {
      TINYTF_ASSIGN_OR_RETURN(data, data.merge(condition));
    } else {
      TINYTF_RETURN_IF_ERROR(condition.merge(PartialShape::vector(data.dim(0))).status());
    }
  }
  c.set_output(0, std::move(data));
  if (const HandleInfo* info = c.input_handle(1)) c.set_output_handle(0, *info);
  return Status();
}

Status select_v2_shape(ShapeContext& c) {
  TINYTF_ASSIGN_OR_RETURN(const PartialShape branches, shapes::broadcast(c.input(1), c.input(2)));
  TINYTF_ASSIGN_OR_RETURN(PartialShape output, shapes::broadcast(c.input(0), branches));
  c.set_output(0, std::move(output));
  if (const HandleInfo* info = c.input_handle(1)) c.set_output_handle(0, *info);
  return Status();
}

/// Kernel of Select: the condition is a scalar, has one element per row of the branches, or has their shape.
class SelectKernel final : public Kernel {
 public:
  explicit SelectKernel(KernelInit& init) : size_(dtype_size(init.output_type(0))) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& condition = ctx.input(0);
    const Tensor& t = ctx.input(1);
    const Tensor& e = ctx.input(2);
    if (t.shape() != e.shape()) {
      if (condition.rank() > 1 || condition.shape() == t.shape()) return not_same(ctx, 2);
      return invalid_argument("'then' and 'else' must have the same size.  but received: ", t.shape().to_string(),
                              " vs. ", e.shape().to_string());
    }
    if (condition.rank() == 0) {
      ctx.set_output(0, *condition.data<bool>() ? t : e);
      return Status();
    }
    if (condition.shape() == t.shape()) return select(ctx, t.num_elements(), 1);
    if (condition.rank() > 1) return not_same(ctx, 1);
    if (t.rank() == 0) {
      return invalid_argument("'then' must be at least a vector, but saw shape: ", t.shape().to_string());
    }
    if (t.dim(0) != condition.dim(0)) {
      return invalid_argument("Number of batches of 'then' must match size of 'cond', but saw: ", t.dim(0), " vs. ",
                              condition.dim(0));
    }
    return select(ctx, t.dim(0), t.shape().product(1, t.rank()));
  }

 private:
  static Status not_same(const KernelContext& ctx, int input) {
    return invalid_argument(
        "Inputs to operation ", ctx.node().name,
        " of type Select must have the same size and shape.  Input 0: ", ctx.input(0).shape().to_string(), " != input ",
        input, ": ", ctx.input(input).shape().to_string());
  }

  Status select(KernelContext& ctx, int64_t rows, int64_t row) const {
    const bool* condition = ctx.input(0).data<bool>();
    const Tensor& t = ctx.input(1);
    const Tensor& e = ctx.input(2);
    if (size_ == 0) {
      TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(0, t.shape()));
      ctx.parallel().run(rows, 1, kObjectCost * static_cast<double>(row), [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) copy_elements(condition[i] ? t : e, i * row, *output, i * row, row);
      });
      return Status();
    }
    const void* then = t.raw();
    const void* otherwise = e.raw();
    if (row == 1) {
      const int reused = ctx.can_forward(1, t.dtype(), rows) ? 1 : 2;
      TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.forward_or_allocate(reused, 0, t.shape()));
      kernels::run_select(kernels::table().elementwise, size_, condition, then, otherwise, output->raw(), rows,
                          ctx.parallel());
    } else {
      TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(0, t.shape()));
      kernels::run_select_rows(condition, then, otherwise, output->raw(), rows, row * static_cast<int64_t>(size_),
                               ctx.parallel());
    }
    return Status();
  }

  const size_t size_;  // element size in bytes; 0 for strings and handles
};

class SelectV2Kernel final : public Kernel {
 public:
  explicit SelectV2Kernel(KernelInit& init) : size_(dtype_size(init.output_type(0))) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& condition = ctx.input(0);
    const Tensor& t = ctx.input(1);
    const Tensor& e = ctx.input(2);
    if (condition.rank() == 0 && t.shape() == e.shape()) {
      ctx.set_output(0, *condition.data<bool>() ? t : e);
      return Status();
    }
    auto branches = shapes::broadcast(t.shape(), e.shape());
    auto shape = branches.ok() ? shapes::broadcast(condition.shape(), branches.value()) : branches.status();
    if (!shape.ok()) {
      return invalid_argument("condition ", condition.shape().to_string(), ", then ", t.shape().to_string(),
                              ", and else ", e.shape().to_string(), " must be broadcastable");
    }
    kernels::BroadcastPlan plan;
    TINYTF_RETURN_IF_ERROR(plan_broadcast({&condition.shape(), &t.shape(), &e.shape()}, &plan));
    TINYTF_ASSIGN_OR_RETURN(Tensor * output, ctx.allocate_output(0, shape.value()));
    if (size_ > 0) {
      kernels::run_select(kernels::table().elementwise, size_, plan, condition.data<bool>(), t.raw(), e.raw(),
                          output->raw(), ctx.parallel());
      return Status();
    }
    ctx.parallel().run(plan.size, 1, kObjectCost, [&](int64_t begin, int64_t end) {
      for_each_broadcast(plan, begin, end, [&](int64_t i, const int64_t* at) {
        const bool first = condition.data<bool>()[at[0]];
        copy_elements(first ? t : e, at[first ? 1 : 2], *output, i, 1);
      });
    });
    return Status();
  }

 private:
  const size_t size_;  // element size in bytes; 0 for strings and handles
};

/// Strings and handles are not selected by loops.
bool selects_by_loop(const NodeInfo& node) { return dtype_size(node.outputs[0].dtype) > 0; }

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(math_select) {
  const auto types = any_of({kNumbers, kBool, {DType::kString, DType::kResource}});
  const auto declare = [&ops](const char* name) {
    return ops.op(name).input("condition: bool").input("t: T").input("e: T").output("output: T").attr("T: type");
  };
  declare("Select")
      .parameter("t", "x")
      .parameter("e", "y")
      .shape(select_shape)
      .doc(
          "Takes elements of `t` where `condition` is true, and of `e` elsewhere. `t` and `e` must have equal shapes; "
          "`condition` has that shape too, or is a scalar, or a vector with one element per row of `t`.");
  kernels.add<SelectKernel>("Select").where("T", types).elementwise({ElementwiseLoop::kSelect}, selects_by_loop);
  declare("SelectV2")
      .shape(select_v2_shape)
      .doc(
          "Takes elements of `t` where `condition` is true, and of `e` elsewhere, with broadcasting of all three "
          "inputs.");
  kernels.add<SelectV2Kernel>("SelectV2").where("T", types).elementwise({ElementwiseLoop::kSelect}, selects_by_loop);
}

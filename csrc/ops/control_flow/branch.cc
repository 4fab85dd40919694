#include "op/registration.h"
#include "ops/control_flow/shared/pass_slot.h"

namespace tinytf::ops {
namespace {

/// Passes the value to output 1 if the predicate is true, else to output 0. The other output stays dead.
class SwitchKernel final : public Kernel {
 public:
  explicit SwitchKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    const Tensor& predicate = ctx.input(1);
    if (predicate.rank() != 0) {
      return invalid_argument("The second input must be a scalar, but it has shape ", predicate.shape().to_string());
    }
    pass_slot(ctx, 0, predicate.data<bool>()[0] ? 1 : 0);
    return Status();
  }
};

/// Passes on the single live input and its index.
class MergeKernel final : public Kernel {
 public:
  explicit MergeKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    int live = -1;
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      if (!ctx.input(i).valid() && ctx.input_variable(i) == nullptr) continue;
      if (live >= 0) return internal_error("Merge can not have more than one valid input.");
      live = i;
    }
    if (live < 0) return internal_error("Merge has no valid input.");
    pass_slot(ctx, live, 0);
    TINYTF_ASSIGN_OR_RETURN(Tensor * index, ctx.allocate_output(1, Shape()));
    index->data<int32_t>()[0] = live;
    return Status();
  }
};

/// Passes on the reference selected by `index`.
class RefSelectKernel final : public Kernel {
 public:
  explicit RefSelectKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    const Tensor& index = ctx.input(0);
    if (index.rank() != 0) {
      return invalid_argument("Index must be a scalar, but it has shape ", index.shape().to_string());
    }
    const int64_t chosen = index.data<int32_t>()[0];
    const int count = ctx.num_inputs() - 1;
    if (chosen < 0 || chosen >= count) {
      return invalid_argument("Index must be in the range [0, ", count, ") but got ", chosen);
    }
    pass_slot(ctx, static_cast<int>(chosen) + 1, 0);
    return Status();
  }
};

Status switch_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 0));
  for (int i = 0; i < 2; ++i) {
    c.set_output(i, c.input(0));
    if (const HandleInfo* info = c.input_handle(0)) c.set_output_handle(i, *info);
  }
  return Status();
}

/// The output shape keeps the dimensions on which all inputs agree.
Status merge_shape(ShapeContext& c) {
  PartialShape common = c.num_inputs() > 0 ? c.input(0) : PartialShape();
  for (int i = 1; i < c.num_inputs(); ++i) common = common.common_with(c.input(i));
  c.set_output(0, std::move(common));
  c.set_output(1, PartialShape::scalar());
  return Status();
}

Status ref_select_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 0));
  bool agree = c.num_inputs() > 1;
  for (int i = 1; i < c.num_inputs(); ++i) agree = agree && c.input(i).fully_defined() && c.input(i) == c.input(1);
  if (agree) c.set_output(0, c.input(1));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(control_flow_branch) {
  using namespace tinytf::ops;
  ops.op("Switch")
      .input("data: T")
      .input("pred: bool")
      .output("output_false: T")
      .output("output_true: T")
      .attr("T: type")
      .control_flow(ControlFlow::kSwitch)
      .shape(switch_shape)
      .doc(
          "Passes `data` to `output_true` if `pred` is true, else to `output_false`. The other output is dead: its "
          "consumers do not run.");
  kernels.add<SwitchKernel>("Switch");

  ops.op("RefSwitch")
      .input("data: Ref(T)")
      .input("pred: bool")
      .output("output_false: Ref(T)")
      .output("output_true: Ref(T)")
      .attr("T: type")
      .allows_uninitialized_input()
      .control_flow(ControlFlow::kSwitch)
      .shape(switch_shape)
      .doc(
          "Passes the reference `data` to `output_true` if `pred` is true, else to `output_false`. The other output is "
          "dead.");
  kernels.add<SwitchKernel>("RefSwitch");

  ops.op("Merge")
      .input("inputs: N * T")
      .output("output: T")
      .output("value_index: int32")
      .attr("T: type")
      .attr("N: int >= 1")
      .control_flow(ControlFlow::kMerge)
      .shape(merge_shape)
      .doc(
          "Passes on the first input that is not dead, as soon as it is available, as `output`, and its index as "
          "`value_index`.");
  kernels.add<MergeKernel>("Merge");

  ops.op("RefMerge")
      .input("inputs: Ref(N * T)")
      .output("output: Ref(T)")
      .output("value_index: int32")
      .attr("T: type")
      .attr("N: int >= 1")
      .trait(Trait::kReadsResource)
      .control_flow(ControlFlow::kMerge)
      .shape(merge_shape)
      .doc("Passes on the first reference that is not dead as `output`, and its index as `value_index`.");
  kernels.add<MergeKernel>("RefMerge");

  ops.op("RefSelect")
      .input("index: int32")
      .input("inputs: Ref(N * T)")
      .output("output: Ref(T)")
      .attr("T: type")
      .attr("N: int >= 1")
      .shape(ref_select_shape)
      .no_gradient()
      .doc("Passes on the reference at position `index` of `inputs`.");
  kernels.add<RefSelectKernel>("RefSelect");
}

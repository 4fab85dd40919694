#include "op/registration.h"
#include "ops/control_flow/shared/pass_slot.h"

namespace tinytf::ops {
namespace {

/// Kernel of ops that only pass their input on; the executor decides where the value goes.
class PassKernel final : public Kernel {
 public:
  explicit PassKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    pass_slot(ctx, 0, 0);
    return Status();
  }
};

/// The shape of a loop variable is known only if it is constant, as it may change in later iterations.
Status enter_shape(ShapeContext& c) {
  if (c.attr<bool>("is_constant")) c.set_output(0, c.input(0));
  if (const HandleInfo* info = c.input_handle(0)) c.set_output_handle(0, *info);
  return Status();
}

Status scalar_condition(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 0));
  return shapes::scalar(c);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(control_flow_loop) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name, bool is_ref, ControlFlow kind, ShapeFn shape,
                           const char* doc) -> OpDefBuilder {
    kernels.add<PassKernel>(name);
    OpDefBuilder op = ops.op(name);
    op.input(is_ref ? "data: Ref(T)" : "data: T").output(is_ref ? "output: Ref(T)" : "output: T").attr("T: type");
    return op.control_flow(kind).shape(shape).doc(doc);
  };
  const auto declare_enter = [&](const char* name, bool is_ref, ShapeFn shape, const char* doc) {
    declare(name, is_ref, ControlFlow::kEnter, shape, doc)
        .attr("frame_name: string")
        .attr("is_constant: bool = false")
        .attr("parallel_iterations: int = 10");
  };
  declare_enter("Enter", false, enter_shape,
                "Passes `data` into the loop `frame_name`: to its first iteration, or to all iterations if "
                "`is_constant` is true.");
  declare_enter("RefEnter", true, shapes::unchanged,
                "Passes the reference `data` into the loop `frame_name`: to its first iteration, or to all iterations "
                "if `is_constant` is true.");
  declare("Exit", false, ControlFlow::kExit, shapes::unchanged, "Passes `data` out of the loop.");
  declare("RefExit", true, ControlFlow::kExit, shapes::unchanged, "Passes the reference `data` out of the loop.");
  declare("NextIteration", false, ControlFlow::kNextIteration, shapes::unchanged,
          "Passes `data` to the next iteration of the loop.");
  declare("RefNextIteration", true, ControlFlow::kNextIteration, shapes::unchanged,
          "Passes the reference `data` to the next iteration of the loop.");

  ops.op("LoopCond")
      .input("input: bool")
      .output("output: bool")
      .control_flow(ControlFlow::kLoopCond)
      .shape(scalar_condition)
      .not_differentiable()
      .doc("Passes `input` on as the condition of a loop.");
  kernels.add<PassKernel>("LoopCond");
}

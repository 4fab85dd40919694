#include "op/registration.h"

namespace tinytf::ops {
namespace {

class NoOpKernel final : public Kernel {
 public:
  explicit NoOpKernel(KernelInit&) {}
  Status compute(KernelContext&) override { return Status(); }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(control_flow_no_op) {
  ops.op("NoOp")
      .shape(shapes::no_outputs)
      .no_gradient()
      .endpoint("no_op")
      .doc("Does nothing. It serves as a common target or source of control edges.");
  kernels.add<tinytf::ops::NoOpKernel>("NoOp");

  ops.op("ControlTrigger")
      .control_flow(ControlFlow::kTrigger)
      .shape(tinytf::shapes::no_outputs)
      .no_gradient()
      .doc("Does nothing, like NoOp, but is live even if its inputs are dead.");
  kernels.add<tinytf::ops::NoOpKernel>("ControlTrigger");
}

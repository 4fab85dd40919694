#include "op/registration.h"
#include "ops/data_flow/shared/queue_kernel.h"

namespace tinytf::ops {

namespace {

class FakeQueueKernel final : public Kernel {
 public:
  explicit FakeQueueKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    if (ctx.input(0).num_elements() != 1) {
      return invalid_argument("The handle of a queue must be a scalar, not ", ctx.input(0).shape().to_string());
    }
    const ResourceHandle& handle = *ctx.input(0).data<ResourceHandle>();
    return reference_.set(ctx, 0, handle.container, handle.name);
  }

 private:
  HandleReference reference_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_fake_queue) {
  using namespace tinytf::ops;
  ops.op("FakeQueue")
      .input("resource: resource")
      .output("handle: Ref(string)")
      .stateful()
      .shape(text_handle_shape)
      .no_gradient()
      .doc("Converts `resource`, which refers to a queue, to the reference handle that ops of early graphs take.");
  kernels.add<FakeQueueKernel>("FakeQueue");
}

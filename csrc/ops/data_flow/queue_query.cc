#include "op/registration.h"
#include "ops/data_flow/queue_kernel.h"

namespace tinytf::ops {

namespace {

/// Yields what a query of the queue returns, as a scalar of type T.
template <class T, auto kQuery>
class QueueQueryKernel final : public Kernel {
 public:
  explicit QueueQueryKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    Status status;
    const Queue* queue = input_queue(ctx, &status);
    if (queue == nullptr) return status;
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    *out->data<T>() = static_cast<T>((queue->*kQuery)());
    return Status();
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_queue_query) {
  using namespace tinytf::ops;
  ops.op("QueueSizeV2")
      .input("handle: resource")
      .output("size: int32")
      .stateful()
      .trait(Trait::kReadsResource)
      .trait(Trait::kReadsWorld)
      .shape(shapes::scalar)
      .no_gradient()
      .doc("How many elements the queue holds.");
  kernels.add<QueueQueryKernel<int32_t, &Queue::size>>("QueueSizeV2");

  ops.op("QueueIsClosedV2")
      .input("handle: resource")
      .output("is_closed: bool")
      .stateful()
      .trait(Trait::kReadsResource)
      .trait(Trait::kReadsWorld)
      .shape(shapes::scalar)
      .no_gradient()
      .doc("Whether the queue is closed.");
  kernels.add<QueueQueryKernel<bool, &Queue::is_closed>>("QueueIsClosedV2");
}

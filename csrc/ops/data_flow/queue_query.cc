#include "op/registration.h"
#include "ops/data_flow/shared/queue_kernel.h"

namespace tinytf::ops {

namespace {

/// Outputs the result of a query of the queue as a scalar of type T.
template <class T, auto kQuery>
class QueueQueryKernel final : public Kernel {
 public:
  explicit QueueQueryKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    Status status;
    RefPtr<Resource> found;
    const Queue* queue = input_state<Queue>(ctx, 0, &found, &status);
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
  for (const bool is_early : {false, true}) {
    const char* size = is_early ? "QueueSize" : "QueueSizeV2";
    OpDefBuilder size_op = ops.op(size);
    declare_queue_input(size_op, is_early)
        .output("size: int32")
        .trait(Trait::kReadsResource)
        .trait(Trait::kReadsExternalState)
        .shape(is_early ? text_handles_to_scalars : shapes::scalar)
        .no_gradient()
        .doc("Returns the number of elements in the queue.");
    kernels.add<QueueQueryKernel<int32_t, &Queue::size>>(size);

    const char* is_closed = is_early ? "QueueIsClosed" : "QueueIsClosedV2";
    OpDefBuilder is_closed_op = ops.op(is_closed);
    declare_queue_input(is_closed_op, is_early)
        .output("is_closed: bool")
        .trait(Trait::kReadsResource)
        .trait(Trait::kReadsExternalState)
        .shape(shapes::scalar)
        .no_gradient()
        .doc("Tests whether the queue is closed.");
    kernels.add<QueueQueryKernel<bool, &Queue::is_closed>>(is_closed);
  }
}

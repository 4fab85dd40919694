#include "op/async_kernel.h"
#include "op/registration.h"
#include "ops/data_flow/shared/queue_kernel.h"

namespace tinytf::ops {

namespace {

class QueueCloseKernel final : public AsyncKernel {
 public:
  explicit QueueCloseKernel(KernelInit& init) : cancel_(init.attr<bool>("cancel_pending_enqueues")) {}

  void compute_async(KernelContext& ctx, Done done) override {
    Status status;
    RefPtr<Resource> found;
    Queue* queue = input_state<Queue>(ctx, 0, &found, &status);
    if (queue == nullptr) return done(std::move(status));
    queue->close(ctx, cancel_, keeping(std::move(found), std::move(done)));
  }

 private:
  const bool cancel_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_queue_close) {
  using namespace tinytf::ops;
  for (const bool is_early : {false, true}) {
    const char* name = is_early ? "QueueClose" : "QueueCloseV2";
    OpDefBuilder close = ops.op(name);
    declare_queue_input(close, is_early)
        .attr("cancel_pending_enqueues: bool = false")
        .trait(Trait::kWritesExternalState)
        .shape(is_early ? text_handles_to_scalars : shapes::no_outputs)
        .no_gradient()
        .doc(
            "Closes the queue: later enqueues fail, and dequeues succeed as long as there are enough elements. Waits "
            "for pending enqueues, or cancels them if `cancel_pending_enqueues` is true. Fails with Cancelled if the "
            "queue is already closed and `cancel_pending_enqueues` is false.");
    kernels.add<QueueCloseKernel>(name);
  }
}

#include "op/registration.h"
#include "ops/data_flow/queue_kernel.h"

namespace tinytf::ops {

namespace {

class QueueCloseKernel final : public AsyncKernel {
 public:
  explicit QueueCloseKernel(KernelInit& init) : cancel_(init.attr<bool>("cancel_pending_enqueues")) {}

  void compute_async(KernelContext& ctx, Done done) override {
    Status status;
    Queue* queue = input_queue(ctx, &status);
    if (queue == nullptr) return done(std::move(status));
    queue->close(ctx, cancel_, std::move(done));
  }

 private:
  const bool cancel_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_queue_close) {
  using namespace tinytf::ops;
  ops.op("QueueCloseV2")
      .input("handle: resource")
      .attr("cancel_pending_enqueues: bool = false")
      .stateful()
      .trait(Trait::kWritesWorld)
      .shape(shapes::no_outputs)
      .no_gradient()
      .doc(
          "Closes the queue: later enqueues fail, dequeues go on while there are enough elements. Waits for pending "
          "enqueues, or cancels them. Cancelled if the queue is closed already and nothing is to be cancelled.");
  kernels.add<QueueCloseKernel>("QueueCloseV2");
}

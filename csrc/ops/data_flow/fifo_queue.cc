#include "ops/data_flow/fifo_queue.h"
#include "op/registration.h"
#include "ops/data_flow/shared/queue_kernel.h"

namespace tinytf::ops {

namespace {

/// The standard FIFO queue: each component has the same shape in all elements.
class PlainFifoQueue final : public FifoQueue {
 public:
  static constexpr const char* kKind = "FIFOQueue";
  using Spec = QueueSpec;

  PlainFifoQueue(std::string name, const Spec& spec) : FifoQueue(kKind, std::move(name), spec) {}
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_fifo_queue) {
  using namespace tinytf::ops;
  for (const bool is_early : {false, true}) {
    const char* name = is_early ? "FIFOQueue" : "FIFOQueueV2";
    OpDefBuilder queue = ops.op(name);
    declare_queue(queue, is_early);
    queue.doc(
        "Returns a handle to a queue that dequeues elements in the order in which they were enqueued. `shapes`, unless "
        "empty, are the fully defined shapes of the components; a negative `capacity` means no limit.");
    kernels.add<QueueHandleKernel<PlainFifoQueue>>(name);
  }
}

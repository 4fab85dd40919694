#include "ops/data_flow/fifo_queue.h"
#include "op/registration.h"
#include "ops/data_flow/queue_kernel.h"

namespace tinytf::ops {

namespace {

/// The plain one: all components of all elements have the same shapes.
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
        "Handle to a queue that yields elements in the order in which they came. `shapes`, if given, are the fully "
        "defined shapes of an element's components; a negative `capacity` sets no bound.");
    kernels.add<QueueHandleKernel<PlainFifoQueue>>(name);
  }
}

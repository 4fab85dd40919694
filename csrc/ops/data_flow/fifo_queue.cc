#include "op/registration.h"
#include "ops/data_flow/element_ring.h"
#include "ops/data_flow/queue_kernel.h"

namespace tinytf::ops {

namespace {

/// First in, first out.
class FifoQueue final : public Queue {
 public:
  static constexpr const char* kKind = "FIFOQueue";

  FifoQueue(std::string name, QueueSpec spec) : Queue(kKind, std::move(name), std::move(spec)) {}

 private:
  int64_t stored() const override { return ring_.size(); }
  void push(Source element) override { fill(ring_.push_back(), element); }
  void put_back(Source element) override { fill(ring_.push_front(), element); }
  void pop(Sink element) override {
    Tensor* components = ring_.front();
    for (int i = 0; i < num_components(); ++i) element(i, std::move(components[i]));
    ring_.pop_front();
  }
  void fill(Tensor* components, Source element) const {
    for (int i = 0; i < num_components(); ++i) components[i] = element(i);
  }

  ElementRing ring_{num_components()};
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_fifo_queue) {
  using namespace tinytf::ops;
  ops.op("FIFOQueueV2")
      .output("handle: resource")
      .attr("component_types: list(type) >= 1")
      .attr("shapes: list(shape) = []")
      .attr("capacity: int = -1")
      .attr("container: string = ''")
      .attr("shared_name: string = ''")
      .stateful()
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Handle to a queue that yields elements in the order in which they came. `shapes`, if given, are the fully "
          "defined shapes of an element's components; a negative `capacity` sets no bound.");
  kernels.add<QueueHandleKernel<FifoQueue>>("FIFOQueueV2");
}

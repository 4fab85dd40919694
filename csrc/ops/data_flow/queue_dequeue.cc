#include "op/registration.h"
#include "ops/data_flow/queue_kernel.h"

namespace tinytf::ops {

namespace {

template <Queue::Take kTake>
class QueueDequeueKernel final : public AsyncKernel {
 public:
  explicit QueueDequeueKernel(KernelInit& init) { refuse_timeout(init); }

  void compute_async(KernelContext& ctx, Done done) override {
    Status status;
    Queue* queue = input_queue(ctx, &status);
    if (queue == nullptr) return done(std::move(status));
    status = check_types(queue->spec(), ctx.node());
    int64_t count = 1;
    if (kTake != Queue::Take::kOne && status.ok()) status = batch_size(ctx, *queue, &count);
    if (!status.ok()) return done(std::move(status));
    queue->dequeue(ctx, kTake, count, std::move(done));
  }

 private:
  static Status batch_size(const KernelContext& ctx, const Queue& queue, int64_t* count) {
    const Tensor& n = ctx.input(1);
    if (n.num_elements() != 1) return invalid_argument("n must be a scalar, got shape ", n.shape().to_string());
    *count = *n.data<int32_t>();
    if (*count < 0) {
      return invalid_argument(kTake == Queue::Take::kMany ? "DequeueManyOp" : "DequeueUpToOp", " requested ", *count,
                              " < 0 elements");
    }
    if (queue.spec().shapes.empty()) {
      return invalid_argument(queue.kind(),
                              "'s DequeueMany and DequeueUpTo require the components to have specified shapes.");
    }
    return Status();
  }
};

/// The queue's shapes are not known from its handle; who made the queue narrows them.
Status batch_shape(ShapeContext& c) {
  if (const Tensor* n = c.input_tensor(1); n != nullptr && n->num_elements() == 1 && n->int_at(0) < 0) {
    return invalid_argument("Input 'n' must be >= 0, but is ", n->int_at(0));
  }
  return Status();
}

/// All but the inputs, which come first.
void declare_dequeue(OpDefBuilder& op, ShapeFn shape) {
  op.output("components: component_types")
      .attr("component_types: list(type) >= 1")
      .attr("timeout_ms: int = -1")
      .stateful()
      .trait(Trait::kReadsWorld)
      .trait(Trait::kWritesWorld)
      .shape(shape)
      .no_gradient();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_queue_dequeue) {
  using namespace tinytf::ops;
  OpDefBuilder one = ops.op("QueueDequeueV2").input("handle: resource");
  declare_dequeue(one, shapes::unknown);
  one.doc("Takes the next element, waiting for one. OutOfRange if the queue is closed and empty.");
  kernels.add<QueueDequeueKernel<Queue::Take::kOne>>("QueueDequeueV2");

  OpDefBuilder many = ops.op("QueueDequeueManyV2").input("handle: resource").input("n: int32");
  declare_dequeue(many, batch_shape);
  many.doc(
      "Takes the next `n` elements as they come, joined along a new first dimension. The queue must have been "
      "declared with shapes. OutOfRange, and nothing is taken, if the queue is closed and has fewer.");
  kernels.add<QueueDequeueKernel<Queue::Take::kMany>>("QueueDequeueManyV2");

  OpDefBuilder up_to = ops.op("QueueDequeueUpToV2").input("handle: resource").input("n: int32");
  declare_dequeue(up_to, batch_shape);
  up_to.doc(
      "Takes the next `n` elements as QueueDequeueManyV2 does, but makes do with those that are left, one at "
      "least, when the queue is closed.");
  kernels.add<QueueDequeueKernel<Queue::Take::kUpTo>>("QueueDequeueUpToV2");
}

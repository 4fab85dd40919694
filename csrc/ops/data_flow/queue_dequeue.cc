#include "op/async_kernel.h"
#include "op/registration.h"
#include "ops/data_flow/shared/queue_kernel.h"

namespace tinytf::ops {

namespace {

template <Queue::Take kTake>
class QueueDequeueKernel final : public AsyncKernel {
 public:
  explicit QueueDequeueKernel(KernelInit& init) { refuse_timeout(init); }

  void compute_async(KernelContext& ctx, Done done) override {
    Status status;
    RefPtr<Resource> found;
    Queue* queue = input_state<Queue>(ctx, 0, &found, &status);
    if (queue == nullptr) return done(std::move(status));
    done = keeping(std::move(found), std::move(done));
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

/// Sets the output shapes to the component shapes in the handle data, if known, preceded by the dimensions of `batch`.
Status components_shape(ShapeContext& c, const PartialShape& batch) {
  const HandleInfo* handle = c.input_handle(0);
  if (handle == nullptr) return Status();
  const std::vector<PartialShape> shapes = element_shapes(handle->shape, c.num_outputs());
  for (size_t i = 0; i < shapes.size(); ++i) c.set_output(static_cast<int>(i), batch.concatenate(shapes[i]));
  return Status();
}

Status element_shape(ShapeContext& c) { return components_shape(c, PartialShape::scalar()); }

Status check_count(ShapeContext& c) {
  if (const Tensor* n = c.input_tensor(1); n != nullptr && n->num_elements() == 1 && n->int_at(0) < 0) {
    return invalid_argument("Input 'n' must be >= 0, but is ", n->int_at(0));
  }
  return Status();
}

Status batch_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(check_count(c));
  const Tensor* n = c.input_tensor(1);
  return components_shape(c, PartialShape::vector(n != nullptr && n->num_elements() == 1 ? n->int_at(0) : kUnknownDim));
}

Status up_to_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(check_count(c));
  return components_shape(c, PartialShape::vector(kUnknownDim));
}

/// Declares everything except the inputs, which must be declared before.
void declare_dequeue(OpDefBuilder& op, ShapeFn shape) {
  op.output("components: component_types")
      .attr("component_types: list(type) >= 1")
      .attr("timeout_ms: int = -1")
      .trait(Trait::kReadsExternalState)
      .trait(Trait::kWritesExternalState)
      .shape(shape)
      .no_gradient();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_queue_dequeue) {
  using namespace tinytf::ops;
  for (const bool is_early : {false, true}) {
    const auto op = [&ops, is_early](const char* name) {
      OpDefBuilder made = ops.op(name);
      declare_queue_input(made, is_early);
      return made;
    };
    const char* dequeue = is_early ? "QueueDequeue" : "QueueDequeueV2";
    OpDefBuilder one = op(dequeue);
    declare_dequeue(one, is_early ? shapes::unknown : element_shape);
    one.doc(
        "Takes the next element from the queue, waiting until there is one. Fails with OutOfRange if the queue is "
        "closed and empty.");
    kernels.add<QueueDequeueKernel<Queue::Take::kOne>>(dequeue);

    const char* dequeue_many = is_early ? "QueueDequeueMany" : "QueueDequeueManyV2";
    OpDefBuilder many = op(dequeue_many).input("n: int32");
    declare_dequeue(many, is_early ? shapes::unknown : batch_shape);
    many.doc(
        "Takes the next `n` elements from the queue, waiting for them, and stacks them along a new first dimension. "
        "The queue must have been declared with shapes. Fails with OutOfRange, and takes nothing, if the queue is "
        "closed and has fewer elements.");
    kernels.add<QueueDequeueKernel<Queue::Take::kMany>>(dequeue_many);

    const char* dequeue_up_to = is_early ? "QueueDequeueUpTo" : "QueueDequeueUpToV2";
    OpDefBuilder up_to = op(dequeue_up_to).input("n: int32");
    declare_dequeue(up_to, is_early ? shapes::unknown : up_to_shape);
    up_to.doc(
        "Takes the next `n` elements from the queue, waiting for them, and stacks them along a new first dimension. If "
        "the queue is closed it takes the remaining elements, at least one.");
    kernels.add<QueueDequeueKernel<Queue::Take::kUpTo>>(dequeue_up_to);
  }
}

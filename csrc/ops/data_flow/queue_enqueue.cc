#include "op/async_kernel.h"
#include "op/registration.h"
#include "ops/data_flow/shared/queue_kernel.h"

namespace tinytf::ops {

namespace {

/// Whether `shape` without its first `skip` dimensions is compatible with `declared`.
bool fits(const PartialShape& declared, const Shape& shape, int skip) {
  if (!declared.known_rank()) return true;
  if (declared.rank() != shape.rank() - skip) return false;
  for (int d = 0; d < declared.rank(); ++d) {
    if (declared.dim(d) != kUnknownDim && declared.dim(d) != shape.dim(d + skip)) return false;
  }
  return true;
}

Status misfit(int component, const PartialShape& expected, const Shape& got) {
  return invalid_argument("Shape mismatch in tuple component ", component, ". Expected ", expected.to_string(),
                          ", got ", got.to_string());
}

Status check_element(const KernelContext& ctx, const QueueSpec& spec) {
  for (size_t i = 0; i < spec.shapes.size(); ++i) {
    const int component = static_cast<int>(i);
    const Shape& shape = ctx.input(1 + component).shape();
    if (!fits(spec.shapes[i], shape, 0)) return misfit(component, spec.shapes[i], shape);
  }
  return Status();
}

Status check_batch(const KernelContext& ctx, const QueueSpec& spec) {
  const int components = static_cast<int>(spec.dtypes.size());
  for (int i = 0; i < components; ++i) {
    const Shape& shape = ctx.input(1 + i).shape();
    const Shape& first = ctx.input(1).shape();
    const PartialShape declared = spec.shapes.empty() ? PartialShape() : spec.shapes[i];
    if (shape.rank() == 0) {
      return invalid_argument("Shape mismatch in tuple component ", i,
                              ". Expected a first dimension that counts the elements, got []");
    }
    if (!spec.shapes.empty() && (!fits(declared, shape, 1) || shape.dim(0) != first.dim(0))) {
      return misfit(i, PartialShape::vector(first.dim(0)).concatenate(declared), shape);
    }
    if (shape.dim(0) != first.dim(0)) {
      return invalid_argument("All input tensors must have the same size in the 0th dimension. Component ", i, " has ",
                              shape.dim(0), ", and should have ", first.dim(0));
    }
  }
  return Status();
}

template <bool kMany>
class QueueEnqueueKernel final : public AsyncKernel {
 public:
  explicit QueueEnqueueKernel(KernelInit& init) { refuse_timeout(init); }

  void compute_async(KernelContext& ctx, Done done) override {
    Status status;
    RefPtr<Resource> found;
    Queue* queue = input_state<Queue>(ctx, 0, &found, &status);
    if (queue == nullptr) return done(std::move(status));
    done = keeping(std::move(found), std::move(done));
    status = check_types(queue->spec(), ctx.node());
    if (status.ok()) status = kMany ? check_batch(ctx, queue->spec()) : check_element(ctx, queue->spec());
    if (!status.ok()) return done(std::move(status));
    if constexpr (kMany) {
      queue->enqueue_many(ctx, ctx.input(1).dim(0), std::move(done));
    } else {
      queue->enqueue_one(ctx, std::move(done));
    }
  }
};

void declare_enqueue(OpDefBuilder& op, bool is_early) {
  declare_queue_input(op, is_early)
      .input("components: Tcomponents")
      .attr("Tcomponents: list(type) >= 1")
      .attr("timeout_ms: int = -1")
      .trait(Trait::kWritesExternalState)
      .shape(shapes::no_outputs)
      .no_gradient();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_queue_enqueue) {
  using namespace tinytf::ops;
  for (const bool is_early : {false, true}) {
    const char* enqueue = is_early ? "QueueEnqueue" : "QueueEnqueueV2";
    OpDefBuilder one = ops.op(enqueue);
    declare_enqueue(one, is_early);
    one.doc(
        "Enqueues one element, waiting for room. Its `components` must have the dtypes and shapes of the queue. Fails "
        "with Cancelled if the queue is closed.");
    kernels.add<QueueEnqueueKernel<false>>(enqueue);

    const char* enqueue_many = is_early ? "QueueEnqueueMany" : "QueueEnqueueManyV2";
    OpDefBuilder many = ops.op(enqueue_many);
    declare_enqueue(many, is_early);
    many.doc(
        "Enqueues each row of the `components` as an element, waiting for room. All components must have the same "
        "first dimension. Fails with Cancelled if the queue is closed.");
    kernels.add<QueueEnqueueKernel<true>>(enqueue_many);
  }
}

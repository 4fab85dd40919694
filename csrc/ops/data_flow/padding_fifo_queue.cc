#include <algorithm>

#include "op/registration.h"
#include "ops/data_flow/fifo_queue.h"
#include "ops/data_flow/shared/queue_kernel.h"

namespace tinytf::ops {

namespace {

/// Copies a tensor into the corner of row `row` of a batch, whose other dimensions are at least as large.
void copy_to_corner(const Tensor& element, Tensor& batch, int64_t row) {
  const int rank = element.rank();
  int64_t begin = row * batch.shape().product(1, rank + 1);
  if (rank == 0) return copy_elements(element, 0, batch, begin, 1);
  const int64_t line = element.dim(rank - 1);
  Dims index(static_cast<size_t>(rank), 0);
  for (int64_t from = 0; from < element.num_elements(); from += line) {
    copy_elements(element, from, batch, begin, line);
    int64_t stride = batch.dim(rank);
    for (int d = rank - 2; d >= 0; --d) {  // advance to the next line
      begin += stride;
      if (++index[d] < element.dim(d)) break;
      begin -= stride * index[d];
      index[d] = 0;
      stride *= batch.dim(d + 1);
    }
  }
}

/// A FIFO queue whose batches are padded in the dimensions with undeclared sizes.
class PaddingFifoQueue final : public FifoQueue {
 public:
  static constexpr const char* kKind = "PaddingFIFOQueue";
  struct Spec : QueueSpec {
    explicit Spec(KernelInit& init) : QueueSpec(init, Shapes::kPartial) {}
  };

  PaddingFifoQueue(std::string name, const Spec& spec) : FifoQueue(kKind, std::move(name), spec) {}

 private:
  Status make_batch(KernelContext& ctx, const std::vector<Tensor>& elements, int64_t count) const override {
    for (int i = 0; i < num_components(); ++i) {
      const auto element = [&](int64_t e) -> const Tensor& { return elements[e * num_components() + i]; };
      const PartialShape& declared = spec().shapes[i];
      Shape shape({count});
      for (int d = 0; d < declared.rank(); ++d) {
        int64_t size = std::max<int64_t>(declared.dim(d), 0);
        for (int64_t e = 0; e < count; ++e) size = std::max(size, element(e).dim(d));
        shape.add_dim(size);
      }
      TINYTF_ASSIGN_OR_RETURN(Tensor * batch, ctx.allocate_output(i, shape));
      if (dtype_size(batch->dtype()) > 0) std::fill_n(batch->data<char>(), batch->bytes(), '\0');
      for (int64_t e = 0; e < count; ++e) {
        if (e % 1024 == 1023 && ctx.is_over()) return Status(Code::kCancelled, "Dequeue operation was cancelled");
        copy_to_corner(element(e), *batch, e);
      }
    }
    return Status();
  }
  /// TensorFlow's padding queue uses its own name only in messages about batches.
  const char* kind_of_elements() const override { return "FIFOQueue"; }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_padding_fifo_queue) {
  using namespace tinytf::ops;
  for (const bool is_early : {false, true}) {
    const char* name = is_early ? "PaddingFIFOQueue" : "PaddingFIFOQueueV2";
    OpDefBuilder queue = ops.op(name);
    declare_queue(queue, is_early);
    queue.doc(
        "Returns a handle to a queue that dequeues elements in the order in which they were enqueued. `shapes` must "
        "have known ranks but may leave sizes open; in a batch, elements of different sizes are padded at the end with "
        "zeros or empty strings. A negative `capacity` means no limit.");
    kernels.add<QueueHandleKernel<PaddingFifoQueue>>(name);
  }
}

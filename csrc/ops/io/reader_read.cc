#include "op/async_kernel.h"
#include "ops/data_flow/shared/queue_kernel.h"
#include "ops/io/shared/reader_kernel.h"

namespace tinytf::ops {
namespace {

template <bool kUpTo>
class ReaderReadKernel final : public AsyncKernel {
 public:
  explicit ReaderReadKernel(KernelInit& /*init*/) {}

  void compute_async(KernelContext& ctx, Done done) override {
    Status status;
    RefPtr<Resource> found_reader, found_queue;
    Reader* reader = input_state<Reader>(ctx, 0, &found_reader, &status);
    Queue* queue = reader == nullptr ? nullptr : input_state<Queue>(ctx, 1, &found_queue, &status);
    if (queue == nullptr) return done(std::move(status));
    std::optional<int64_t> most;
    if constexpr (kUpTo) {
      status = number_of_records(ctx.input(2), &most);
      if (!status.ok()) return done(std::move(status));
    }
    done = keeping(std::move(found_queue), keeping(std::move(found_reader), std::move(done)));
    reader->read(ctx, *queue, most, std::move(done));
  }

 private:
  static Status number_of_records(const Tensor& input, std::optional<int64_t>* most) {
    if (input.num_elements() != 1) {
      return invalid_argument("num_records must be a scalar, but had shape: ", input.shape().to_string());
    }
    *most = *input.data<int64_t>();
    return **most >= 0 ? Status() : invalid_argument("num_records must be >= 0 not ", **most);
  }
};

Status read_up_to_shape(ShapeContext& c) {
  const bool is_early = c.node().inputs[0].is_ref;
  for (int i = 0; i < 2; ++i) TINYTF_RETURN_IF_ERROR(c.with_rank(i, is_early ? 1 : 0));
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 0));
  for (int i = 0; i < 2; ++i) c.set_output(i, PartialShape::vector(kUnknownDim));
  return Status();
}

OpDefBuilder declare_read(OpRegistry& ops, const std::string& name, bool is_early) {
  return declare_reader_input(ops, name, is_early)
      .input(is_early ? "queue_handle: Ref(string)" : "queue_handle: resource")
      .trait(Trait::kReadsExternalState)
      .trait(Trait::kWritesExternalState);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(io_reader_read) {
  using namespace tinytf::ops;
  for (const bool is_early : {false, true}) {
    declare_read(ops, "ReaderRead", is_early)
        .output("key: string")
        .output("value: string")
        .shape(is_early ? text_handles_to_scalars : scalars_to_scalars)
        .doc(
            "Returns the next record of the reader as `key` and `value`. When a work unit is finished, the reader "
            "takes the next one from the queue, waiting for it. Fails with OutOfRange if there is no record left and "
            "the queue is closed and empty.");
    kernels.add<ReaderReadKernel<false>>(is_early ? "ReaderRead" : "ReaderReadV2");

    declare_read(ops, "ReaderReadUpTo", is_early)
        .input("num_records: int64")
        .output("keys: string")
        .output("values: string")
        .shape(read_up_to_shape)
        .doc(
            "Returns the next records of one work unit of the reader as `keys` and `values`: at most `num_records`, "
            "but at least one. It waits and fails as ReaderRead does.");
    kernels.add<ReaderReadKernel<true>>(is_early ? "ReaderReadUpTo" : "ReaderReadUpToV2");
  }
}

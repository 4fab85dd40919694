#include "ops/io/shared/reader_kernel.h"

namespace tinytf::ops {
namespace {

/// Calls kUse(ctx, reader).
template <auto kUse>
class ReaderUseKernel final : public Kernel {
 public:
  explicit ReaderUseKernel(KernelInit& /*init*/) {}

  Status compute(KernelContext& ctx) override {
    Status status;
    RefPtr<Resource> found;
    Reader* reader = input_state<Reader>(ctx, 0, &found, &status);
    return reader == nullptr ? status : kUse(ctx, *reader);
  }
};

template <auto kCount>
Status yield_count(KernelContext& ctx, Reader& reader) {
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
  *out->data<int64_t>() = (reader.*kCount)();
  return Status();
}

Status yield_state(KernelContext& ctx, Reader& reader) {
  TINYTF_ASSIGN_OR_RETURN(std::string state, reader.state());
  TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
  *out->data<std::string>() = std::move(state);
  return Status();
}

Status restore(KernelContext& ctx, Reader& reader) {
  const Tensor& state = ctx.input(1);
  if (state.rank() != 0) {
    return invalid_argument("Reader state must be scalar, but had shape: ", state.shape().to_string());
  }
  return reader.restore(*state.data<std::string>());
}

Status reset(KernelContext& /*ctx*/, Reader& reader) {
  reader.reset();
  return Status();
}

Status restore_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.node().inputs[0].is_ref ? check_text_handle(c, 0) : c.with_rank(0, 0));
  return c.with_rank(1, 0);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(io_reader_state_ops) {
  using namespace tinytf::ops;
  for (const bool is_early : {false, true}) {
    const auto name = [is_early](const char* early) { return is_early ? std::string(early) : str_cat(early, "V2"); };
    const tinytf::ShapeFn scalars = is_early ? text_handles_to_scalars : scalars_to_scalars;
    const auto declare_query = [&](const char* early, const char* output, const char* doc) {
      declare_reader_input(ops, early, is_early)
          .output(output)
          .trait(tinytf::Trait::kReadsResource)
          .trait(tinytf::Trait::kReadsExternalState)
          .shape(scalars)
          .doc(doc);
    };
    declare_query("ReaderNumRecordsProduced", "records_produced: int64",
                  "Returns the number of records that the reader has produced.");
    kernels.add<ReaderUseKernel<&yield_count<&Reader::records_produced>>>(name("ReaderNumRecordsProduced"));

    declare_query("ReaderNumWorkUnitsCompleted", "units_completed: int64",
                  "Returns the number of work units that the reader has finished.");
    kernels.add<ReaderUseKernel<&yield_count<&Reader::work_units_completed>>>(name("ReaderNumWorkUnitsCompleted"));

    declare_query("ReaderSerializeState", "state: string",
                  "Returns the state of the reader as bytes for ReaderRestoreStateV2. Fails with Unimplemented if a "
                  "file holds several records.");
    kernels.add<ReaderUseKernel<&yield_state>>(name("ReaderSerializeState"));

    declare_reader_input(ops, "ReaderRestoreState", is_early)
        .input("state: string")
        .trait(tinytf::Trait::kWritesExternalState)
        .shape(restore_shape)
        .doc("Restores the state of a reader from `state`, which ReaderSerializeStateV2 has returned.");
    kernels.add<ReaderUseKernel<&restore>>(name("ReaderRestoreState"));

    declare_reader_input(ops, "ReaderReset", is_early)
        .trait(tinytf::Trait::kWritesExternalState)
        .shape(scalars)
        .doc("Resets the reader to its initial state.");
    kernels.add<ReaderUseKernel<&reset>>(name("ReaderReset"));
  }
}

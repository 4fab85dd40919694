#include <algorithm>
#include <limits>

#include "base/checked.h"
#include "ops/data/shared/parallel_cycle.h"

namespace tinytf::ops {
namespace {

class EarlyParallelInterleaveDataset final : public FunctionDataset {
 public:
  EarlyParallelInterleaveDataset(DatasetParts parts, RefPtr<const Dataset> input, data::CapturedFunction function,
                                 ParallelCycleOptions options)
      : FunctionDataset(std::move(parts), std::move(input), std::move(function)), options_(options) {}

  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override {
    return ParallelCycleIterator::make(*this, ctx, options_);
  }

 private:
  const ParallelCycleOptions options_;
};

class EarlyParallelInterleaveKernel final : public FunctionDatasetKernel {
 public:
  using FunctionDatasetKernel::FunctionDatasetKernel;

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts, RefPtr<const Dataset> input,
                                     data::CapturedFunction function) override {
    const int first = first_option();
    ParallelCycleOptions options;
    Cycle& cycle = options.cycle;
    TINYTF_ASSIGN_OR_RETURN(cycle.length, scalar_input<int64_t>(ctx, first, "cycle_length"));
    if (cycle.length <= 0) return invalid_argument("`cycle_length` must be > 0");
    TINYTF_ASSIGN_OR_RETURN(cycle.block, scalar_input<int64_t>(ctx, first + 1, "block_length"));
    if (cycle.block <= 0) return invalid_argument("`block_length` must be > 0");
    TINYTF_ASSIGN_OR_RETURN(options.is_sloppy, scalar_input<bool>(ctx, first + 2, "sloppy"));
    TINYTF_ASSIGN_OR_RETURN(options.room, scalar_input<int64_t>(ctx, first + 3, "buffer_output_elements"));
    if (options.room <= 0) return invalid_argument("`buffer_output_elements` must be > 0");
    TINYTF_ASSIGN_OR_RETURN(const int64_t ahead, scalar_input<int64_t>(ctx, first + 4, "prefetch_input_elements"));
    if (ahead < 0) return invalid_argument("`prefetch_input_elements` must be >= 0");
    // The cycle's places are filled from the datasets that are opened ahead.
    options.ahead = std::clamp(std::max(ahead, cycle.length), int64_t{1}, kMostOpened);
    options.working = std::numeric_limits<int64_t>::max();
    const Size workers = Size(cycle.length) + ahead;
    options.workers = workers.ok() ? workers.value() : std::numeric_limits<int64_t>::max();
    options.stage = "ParallelInterleave";
    return RefPtr<const Dataset>(
        make_ref<EarlyParallelInterleaveDataset>(std::move(parts), std::move(input), std::move(function), options));
  }

 private:
  static constexpr int64_t kMostOpened = 64;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_early_parallel_interleave) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<EarlyParallelInterleaveKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("other_arguments: Targuments")
        .input("cycle_length: int64")
        .input("block_length: int64")
        .input("sloppy: bool")
        .input("buffer_output_elements: int64")
        .input("prefetch_input_elements: int64")
        .output("handle: variant")
        .attr("f: func")
        .attr("Targuments: list(type) >= 0")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("ParallelInterleaveDataset")
      .doc(
          "Makes the dataset that InterleaveDataset makes, with `cycle_length` datasets read at a time, each up to "
          "`buffer_output_elements` ahead, and `prefetch_input_elements` more opened. With `sloppy`, a dataset without "
          "a ready element is passed over.");
  declare("ExperimentalParallelInterleaveDataset").doc("An earlier name of ParallelInterleaveDataset.");
}

#include <algorithm>

#include "ops/data/shared/parallel_calls.h"
#include "ops/data/shared/parallel_cycle.h"

namespace tinytf::ops {
namespace {

class ParallelInterleaveDataset final : public FunctionDataset {
 public:
  ParallelInterleaveDataset(DatasetParts parts, RefPtr<const Dataset> input, data::CapturedFunction function,
                            Cycle cycle, int64_t parallelism, bool is_sloppy)
      : FunctionDataset(std::move(parts), std::move(input), std::move(function)),
        cycle_(cycle),
        parallelism_(parallelism),
        is_sloppy_(is_sloppy) {}

  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override {
    const int64_t parallelism = parallelism_ < 0 ? std::min(cycle_.length, automatic_parallelism()) : parallelism_;
    ParallelCycleOptions options;
    options.cycle = cycle_;
    options.ahead = options.working = parallelism;
    options.room = std::min(cycle_.block, kMostRoom);
    if (parallelism_ < 0) options.tuned = tuned_parallelism(ctx, parallelism);
    options.is_sloppy = is_sloppy_;
    options.stage = "ParallelInterleaveV2";
    return ParallelCycleIterator::make(*this, ctx, options);
  }

 private:
  static constexpr int64_t kMostRoom = 32;
  const Cycle cycle_;
  const int64_t parallelism_;  // Negative: automatic.
  const bool is_sloppy_;
};

class ParallelInterleaveKernel final : public FunctionDatasetKernel {
 public:
  explicit ParallelInterleaveKernel(KernelInit& init)
      : FunctionDatasetKernel(init), is_sloppy_(init.attr<bool>("sloppy")) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts, RefPtr<const Dataset> input,
                                     data::CapturedFunction function) override {
    const int first = first_option();
    Cycle cycle;
    TINYTF_ASSIGN_OR_RETURN(cycle.length, scalar_input<int64_t>(ctx, first, "cycle_length"));
    if (cycle.length == -1) cycle.length = automatic_parallelism();
    if (cycle.length <= 0) return invalid_argument("`cycle_length` must be > 0");
    TINYTF_ASSIGN_OR_RETURN(cycle.block, scalar_input<int64_t>(ctx, first + 1, "block_length"));
    if (cycle.block <= 0) return invalid_argument("`block_length` must be > 0");
    TINYTF_ASSIGN_OR_RETURN(const int64_t parallelism, scalar_input<int64_t>(ctx, first + 2, "num_parallel_calls"));
    if (parallelism < -1 || parallelism == 0) return invalid_argument("num_parallel_calls must be greater than zero.");
    if (parallelism > cycle.length) {
      return invalid_argument("num_parallel_calls must less than or equal to cycle_length.");
    }
    return RefPtr<const Dataset>(make_ref<ParallelInterleaveDataset>(
        std::move(parts), std::move(input), std::move(function), cycle, parallelism, is_sloppy_));
  }

 private:
  const bool is_sloppy_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_parallel_interleave) {
  using namespace tinytf::ops;
  ops.op("ParallelInterleaveDatasetV2")
      .input("input_dataset: variant")
      .input("other_arguments: Targuments")
      .input("cycle_length: int64")
      .input("block_length: int64")
      .input("num_parallel_calls: int64")
      .output("handle: variant")
      .attr("f: func")
      .attr("Targuments: list(type) >= 0")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .attr("sloppy: bool = false")
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Makes the dataset that InterleaveDataset makes, with up to `num_parallel_calls` datasets read at a time; "
          "-1: as many as pay, at most as there are threads. With `sloppy`, a dataset without a ready element is "
          "passed over.");
  kernels.add<ParallelInterleaveKernel>("ParallelInterleaveDatasetV2");
}

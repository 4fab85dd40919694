#include "ops/data/shared/parallel_calls.h"

namespace tinytf::ops {
namespace {

struct ParallelMapOptions {
  int64_t parallelism = 1;
  bool is_sloppy = false;
  bool keeps_cardinality = false;
};

class ParallelMapDataset final : public FunctionDataset {
 public:
  ParallelMapDataset(DatasetParts parts, RefPtr<const Dataset> input, data::CapturedFunction function,
                     ParallelMapOptions options)
      : FunctionDataset(std::move(parts), std::move(input), std::move(function)), options_(options) {}

  const ParallelMapOptions& options() const { return options_; }
  int64_t cardinality() const override { return input().cardinality(); }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const ParallelMapOptions options_;
};

class ParallelMapIterator final : public IteratorOf<ParallelMapDataset> {
 public:
  ParallelMapIterator(const ParallelMapDataset& dataset, RefPtr<ParallelCalls> calls)
      : IteratorOf(dataset), calls_(std::move(calls)) {}
  ~ParallelMapIterator() override { calls_->abandon(); }

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    ParallelCalls::Outcome outcome;
    TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, calls_->take(ctx, outcome));
    if (pulled != Pulled::kElement) return pulled;
    element.swap(outcome.element);
    return data::mapped(ctx, outcome.status, dataset().options().keeps_cardinality);
  }
  data::StageHeld held() const override { return calls_->held(); }
  Status save(IteratorContext& ctx, StateWriter& state) override { return calls_->save(ctx, state); }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    return calls_->restore(ctx, state, dataset().spec());
  }

 private:
  const RefPtr<ParallelCalls> calls_;
};

Result<IteratorPtr> ParallelMapDataset::make_iterator(IteratorContext& ctx) const {
  TINYTF_ASSIGN_OR_RETURN(std::unique_ptr<data::BoundFunction> function, this->function().bind(ctx));
  TINYTF_ASSIGN_OR_RETURN(IteratorPtr input, this->input().make_iterator(ctx));
  const int64_t parallelism = options_.parallelism < 0 ? automatic_parallelism() : options_.parallelism;
  CallLimits limits{parallelism, parallelism, !options_.is_sloppy, "ParallelMapDataset::thread_utilization"};
  if (options_.parallelism < 0) limits.tuned = tuned_parallelism(ctx, parallelism);
  if (limits.tuned) limits.results = 1;
  auto calls = make_ref<ParallelCalls>(ctx, std::move(input), std::move(function), std::move(limits));
  return IteratorPtr(std::make_unique<ParallelMapIterator>(*this, std::move(calls)));
}

class ParallelMapKernel final : public FunctionDatasetKernel {
 public:
  explicit ParallelMapKernel(KernelInit& init) : FunctionDatasetKernel(init) {
    options_.is_sloppy = init.attr<bool>("sloppy");
    options_.keeps_cardinality = init.attr<bool>("preserve_cardinality");
  }

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts, RefPtr<const Dataset> input,
                                     data::CapturedFunction function) override {
    ParallelMapOptions options = options_;
    TINYTF_ASSIGN_OR_RETURN(options.parallelism, scalar_input<int32_t>(ctx, first_option(), "num_parallel_calls"));
    if (options.parallelism < -1 || options.parallelism == 0) {
      return invalid_argument("num_parallel_calls must be greater than zero.");
    }
    return RefPtr<const Dataset>(
        make_ref<ParallelMapDataset>(std::move(parts), std::move(input), std::move(function), options));
  }

 private:
  ParallelMapOptions options_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_parallel_map) {
  using namespace tinytf::ops;
  ops.op("ParallelMapDataset")
      .input("input_dataset: variant")
      .input("other_arguments: Targuments")
      .input("num_parallel_calls: int32")
      .output("handle: variant")
      .attr("f: func")
      .attr("Targuments: list(type) >= 0")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .attr("use_inter_op_parallelism: bool = true")
      .attr("sloppy: bool = false")
      .attr("preserve_cardinality: bool = false")
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Makes a dataset of the results of `f` for each element of the input, followed by `other_arguments`, with up "
          "to `num_parallel_calls` calls at a time; -1: as many as pay, at most as there are threads. With `sloppy`, "
          "results come in "
          "the order in which calls end.");
  kernels.add<ParallelMapKernel>("ParallelMapDataset");
}

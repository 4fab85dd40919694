#include "ops/data/shared/row_calls.h"

namespace tinytf::ops {
namespace {

class MapDataset final : public FunctionDataset {
 public:
  MapDataset(DatasetParts parts, RefPtr<const Dataset> input, data::CapturedFunction function, bool keeps_cardinality)
      : FunctionDataset(std::move(parts), std::move(input), std::move(function)),
        keeps_cardinality_(keeps_cardinality) {}

  bool keeps_cardinality() const { return keeps_cardinality_; }
  int64_t cardinality() const override { return input().cardinality(); }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const bool keeps_cardinality_;
};

class MapIterator final : public IteratorOf<MapDataset> {
 public:
  MapIterator(const MapDataset& dataset, IteratorPtr input, std::unique_ptr<data::BoundFunction> function)
      : IteratorOf(dataset), calls_(dataset.input().spec(), std::move(input), std::move(function)) {}

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    Status called;
    TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, calls_.pull(ctx, element, called));
    return pulled == Pulled::kElement ? data::mapped(ctx, called, dataset().keeps_cardinality()) : pulled;
  }
  Result<Pulled> pull_rows(PullContext& ctx, int64_t size, data::BatchRows& rows) override {
    if (!calls_.makes_batches()) return IteratorOf::pull_rows(ctx, size, rows);
    Element results;
    int64_t lost = 0;
    TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, calls_.pull_batch(ctx, size - rows.collected(), results, lost));
    if (!calls_.makes_batches()) return IteratorOf::pull_rows(ctx, size, rows);
    if (!results.empty()) rows.collect_batch(ctx.allocator(), std::move(results), size);
    return pulled;
  }
  Status save(IteratorContext& ctx, StateWriter& state) override { return calls_.save(ctx, state); }
  Status restore(IteratorContext& ctx, StateReader& state) override { return calls_.restore(ctx, state); }

 private:
  RowCalls calls_;
};

Result<IteratorPtr> MapDataset::make_iterator(IteratorContext& ctx) const {
  return make_function_iterator<MapIterator>(*this, ctx);
}

class MapKernel final : public FunctionDatasetKernel {
 public:
  explicit MapKernel(KernelInit& init)
      : FunctionDatasetKernel(init), keeps_cardinality_(init.attr<bool>("preserve_cardinality")) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext&, DatasetParts parts, RefPtr<const Dataset> input,
                                     data::CapturedFunction function) override {
    return RefPtr<const Dataset>(
        make_ref<MapDataset>(std::move(parts), std::move(input), std::move(function), keeps_cardinality_));
  }

 private:
  const bool keeps_cardinality_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_map) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<MapKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("other_arguments: Targuments")
        .output("handle: variant")
        .attr("f: func")
        .attr("Targuments: list(type) >= 0")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .attr("use_inter_op_parallelism: bool = true")
        .attr("preserve_cardinality: bool = false")
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("MapDataset")
      .doc(
          "Makes a dataset of the results of `f` for each element of the input, followed by `other_arguments`. An "
          "OutOfRange error of `f` ends the sequence, unless `preserve_cardinality` is set.");
  declare("ExperimentalMapDataset").doc("An earlier name of MapDataset.");
}

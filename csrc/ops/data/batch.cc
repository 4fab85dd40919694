#include "data/saved_rows.h"
#include "ops/data/shared/map_and_batch.h"
#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

class BatchDataset final : public UnaryDataset {
 public:
  BatchDataset(DatasetParts parts, RefPtr<const Dataset> input, int64_t size, bool drops_remainder)
      : UnaryDataset(std::move(parts), std::move(input)), size_(size), drops_remainder_(drops_remainder) {}

  int64_t size() const { return size_; }
  bool drops_remainder() const { return drops_remainder_; }
  int64_t cardinality() const override {
    const int64_t n = input().cardinality();
    if (n < 0) return n;
    return n / size_ + (n % size_ == 0 || drops_remainder_ ? 0 : 1);
  }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;
  Result<RefPtr<const Dataset>> rewritten(const data::RewriteSite& site) const override {
    const bool is_serial = site.joins(input(), "MapDataset");
    if (!site.rewrites().fuses_map_and_batch || (!is_serial && !site.joins(input(), "ParallelMapDataset"))) {
      return RefPtr<const Dataset>();
    }
    const data::DatasetOrigin& map = input().origin();
    AttrMap attrs;
    for (const char* name : {"f", "Targuments", "preserve_cardinality"}) attrs.set(name, *map.node->attrs.find(name));
    for (const char* name : {"output_types", "output_shapes"}) attrs.set(name, *origin().node->attrs.find(name));
    std::vector<Tensor> inputs = map.inputs;
    int64_t calls = 1;
    if (is_serial) {
      attrs.set(kWaits, true);
    } else {
      calls = inputs.back().int_at(0);
      inputs.pop_back();
    }
    inputs.push_back(origin().inputs[1]);
    inputs.push_back(Tensor::scalar(calls));
    inputs.push_back(Tensor::scalar(drops_remainder_));
    return data::make_dataset(site.step(), "MapAndBatchDataset", std::move(attrs), std::move(inputs), input(),
                              map.functions);
  }

 private:
  const int64_t size_;
  const bool drops_remainder_;
};

class BatchIterator final : public UnaryIterator<BatchDataset> {
 public:
  using UnaryIterator::UnaryIterator;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    if (!has_ended_) {
      const Result<Pulled> pulled = input().next_rows(ctx, dataset().size(), rows_);
      if (!pulled.ok()) rows_.clear();
      if (!pulled.ok() || pulled.value() == Pulled::kPending) return pulled;
      has_ended_ = pulled.value() == Pulled::kEnd;
    }
    const bool is_whole = rows_.collected() == dataset().size();
    if (rows_.collected() == 0 || (!is_whole && dataset().drops_remainder())) {
      rows_.clear();
      return Pulled::kEnd;
    }
    const Status error = rows_.error();
    if (!error.ok()) {
      rows_.clear();
      return error;
    }
    TINYTF_RETURN_IF_ERROR(rows_.take(element));
    return Pulled::kElement;
  }

  Status save(IteratorContext& ctx, StateWriter& state) override {
    TINYTF_RETURN_IF_ERROR(rows_.error());
    state.put_int("has_ended", has_ended_);
    TINYTF_RETURN_IF_ERROR(data::save_rows(ctx, state, rows_));
    return UnaryIterator::save(ctx, state);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(const int64_t has_ended, state.get_int("has_ended", 0, 1));
    TINYTF_RETURN_IF_ERROR(data::restore_rows(ctx, state, dataset().input().spec(), dataset().size(), rows_));
    has_ended_ = has_ended != 0;
    return UnaryIterator::restore(ctx, state);
  }

 private:
  data::BatchRows rows_;  // Of the batch that is being made.
  bool has_ended_ = false;
};

Result<IteratorPtr> BatchDataset::make_iterator(IteratorContext& ctx) const {
  return make_unary_iterator<BatchIterator>(*this, ctx);
}

class BatchKernel final : public DatasetKernel {
 public:
  explicit BatchKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const int64_t size, scalar_input<int64_t>(ctx, 1, "batch_size"));
    if (size <= 0) return invalid_argument("Batch size must be greater than zero.");
    bool drops_remainder = false;
    if (ctx.num_inputs() > 2) {
      TINYTF_ASSIGN_OR_RETURN(drops_remainder, scalar_input<bool>(ctx, 2, "drop_remainder"));
    }
    return RefPtr<const Dataset>(make_ref<BatchDataset>(std::move(parts), std::move(input), size, drops_remainder));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_batch) {
  using namespace tinytf::ops;
  ops.op("BatchDataset")
      .input("input_dataset: variant")
      .input("batch_size: int64")
      .output("handle: variant")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .shape(shapes::dataset<1>)
      .no_gradient()
      .doc(
          "Makes a dataset of batches of `batch_size` elements of the input, stacked along a new first dimension. The "
          "last batch may have fewer.");
  kernels.add<BatchKernel>("BatchDataset");

  ops.op("BatchDatasetV2")
      .input("input_dataset: variant")
      .input("batch_size: int64")
      .input("drop_remainder: bool")
      .output("handle: variant")
      .attr("parallel_copy: bool = false")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .shape(shapes::dataset<1, 2>)
      .no_gradient()
      .doc(
          "Makes a dataset of batches of `batch_size` elements of the input, stacked along a new first dimension. The "
          "last batch may have fewer elements, or is left out if `drop_remainder` is true.");
  kernels.add<BatchKernel>("BatchDatasetV2");
}

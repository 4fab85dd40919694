#include <algorithm>

#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

class RebatchDataset final : public UnaryDataset {
 public:
  RebatchDataset(DatasetParts parts, RefPtr<const Dataset> input, int64_t replicas)
      : UnaryDataset(std::move(parts), std::move(input)), replicas_(replicas) {}

  int64_t replicas() const { return replicas_; }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const int64_t replicas_;
};

class RebatchIterator final : public UnaryIterator<RebatchDataset> {
 public:
  RebatchIterator(const RebatchDataset& dataset, IteratorPtr input)
      : UnaryIterator(dataset, std::move(input)), part_(dataset.replicas()) {}

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    if (part_ == dataset().replicas()) {
      TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, input().next(ctx, batch_));
      if (pulled != Pulled::kElement) return pulled;
      TINYTF_RETURN_IF_ERROR(check_batch());
      part_ = 0;
    }
    element.resize(batch_.size());
    for (size_t i = 0; i < batch_.size(); ++i) {
      const int64_t rows = batch_[i].dim(0), replicas = dataset().replicas();
      const int64_t size = rows / replicas + (rows % replicas > 0 ? 1 : 0);
      // part_ * size would be beyond int64 only where it is beyond the rows.
      const int64_t begin = size == 0 || part_ > rows / size ? rows : std::min(part_ * size, rows);
      TINYTF_ASSIGN_OR_RETURN(element[i], batch_[i].rows(begin, begin + std::min(size, rows - begin)));
    }
    if (++part_ == dataset().replicas()) batch_.clear();
    return Pulled::kElement;
  }
  Status save(IteratorContext& ctx, StateWriter& state) override {
    state.put_int("part", part_);
    TINYTF_RETURN_IF_ERROR(state.put_element("batch", part_ < dataset().replicas() ? batch_ : Element()));
    return UnaryIterator::save(ctx, state);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(part_, state.get_int("part", 0, dataset().replicas()));
    const bool has_batch = part_ < dataset().replicas();
    TINYTF_ASSIGN_OR_RETURN(batch_, state.get_element("batch", has_batch ? dataset().input().spec() : ElementSpec()));
    if (!check_batch().ok()) return Status(Code::kDataLoss, "The saved position has a damaged batch");
    return UnaryIterator::restore(ctx, state);
  }

 private:
  Status check_batch() const {
    for (size_t i = 0; i < batch_.size(); ++i) {
      if (batch_[i].rank() > 0) continue;
      return invalid_argument(
          "Cannot rebatch dataset: All components must have at least one dimension. Perhaps your input dataset is not "
          "batched? Component ",
          i, " is scalar.");
    }
    return Status();
  }

  Element batch_;
  int64_t part_;  // Of the batch; the number of replicas if there is no batch.
};

Result<IteratorPtr> RebatchDataset::make_iterator(IteratorContext& ctx) const {
  return make_unary_iterator<RebatchIterator>(*this, ctx);
}

class RebatchKernel final : public DatasetKernel {
 public:
  explicit RebatchKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const int64_t replicas, scalar_input<int64_t>(ctx, 1, "num_replicas"));
    if (replicas <= 0) return invalid_argument("num_replicas must be greater than zero.");
    return RefPtr<const Dataset>(make_ref<RebatchDataset>(std::move(parts), std::move(input), replicas));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_rebatch) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<RebatchKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("num_replicas: int64")
        .output("handle: variant")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .attr("use_fallback: bool = true")
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("RebatchDataset")
      .doc(
          "Makes a dataset in which each batch of the input is split into `num_replicas` parts of equal size; the "
          "last parts may be smaller.");
  declare("ExperimentalRebatchDataset").doc("An earlier name of RebatchDataset.");
}

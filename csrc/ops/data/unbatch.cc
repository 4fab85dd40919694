#include "ops/data/shared/unary_stage.h"

namespace tinytf::ops {
namespace {

class UnbatchDataset final : public UnaryDataset {
 public:
  UnbatchDataset(DatasetParts parts, RefPtr<const Dataset> input) : UnaryDataset(std::move(parts), std::move(input)) {}
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;
};

/// Rows are copied: a stage that keeps one of them does not keep the batch.
class UnbatchIterator final : public UnaryIterator<UnbatchDataset> {
 public:
  using UnaryIterator::UnaryIterator;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    while (row_ == rows_) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      row_ = rows_ = 0;
      TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, input().next(ctx, batch_));
      if (pulled != Pulled::kElement) return pulled;
      TINYTF_RETURN_IF_ERROR(start_batch());
    }
    TINYTF_RETURN_IF_ERROR(copy_row(ctx.allocator(), element));
    if (++row_ == rows_) batch_.clear();
    return Pulled::kElement;
  }
  Status save(IteratorContext& ctx, StateWriter& state) override {
    const bool has_batch = row_ < rows_;
    state.put_int("has_batch", has_batch);
    state.put_int("row", row_);
    TINYTF_RETURN_IF_ERROR(state.put_element("batch", has_batch ? batch_ : Element()));
    return UnaryIterator::save(ctx, state);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(const int64_t has_batch, state.get_int("has_batch", 0, 1));
    row_ = rows_ = 0;
    batch_.clear();
    if (has_batch != 0) {
      TINYTF_ASSIGN_OR_RETURN(batch_, state.get_element("batch", dataset().input().spec()));
      if (!start_batch().ok()) return Status(Code::kDataLoss, "The saved position has a damaged batch");
      TINYTF_ASSIGN_OR_RETURN(row_, state.get_int("row", 0, rows_));
    }
    return UnaryIterator::restore(ctx, state);
  }

 private:
  Status start_batch() {
    row_shapes_.clear();
    for (size_t i = 0; i < batch_.size(); ++i) {
      const Tensor& component = batch_[i];
      if (component.rank() == 0) {
        return invalid_argument("Input element must have a non-scalar value in each component.");
      }
      if (component.dim(0) != batch_[0].dim(0)) {
        return invalid_argument("Input element must have the same batch size in each component. Component 0 had size ",
                                batch_[0].dim(0), " but component ", i, " had size, ", component.dim(0), ".");
      }
      row_shapes_.push_back(Shape(Dims(component.shape().dims().begin() + 1, component.shape().dims().end())));
    }
    rows_ = batch_.empty() ? 0 : batch_[0].dim(0);
    return Status();
  }
  Status copy_row(Allocator& allocator, Element& element) const {
    element.resize(batch_.size());
    for (size_t i = 0; i < batch_.size(); ++i) {
      TINYTF_ASSIGN_OR_RETURN(element[i], Tensor::allocate(allocator, batch_[i].dtype(), row_shapes_[i]));
      const int64_t n = row_shapes_[i].num_elements();  // row_ * n is an offset in the batch
      copy_elements(batch_[i], row_ * n, element[i], 0, n);
    }
    return Status();
  }

  Element batch_;
  std::vector<Shape> row_shapes_;
  int64_t row_ = 0;
  int64_t rows_ = 0;  // Of the batch; row_ if there is none.
};

Result<IteratorPtr> UnbatchDataset::make_iterator(IteratorContext& ctx) const {
  return make_unary_iterator<UnbatchIterator>(*this, ctx);
}

class UnbatchKernel final : public DatasetKernel {
 public:
  explicit UnbatchKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    return RefPtr<const Dataset>(make_ref<UnbatchDataset>(std::move(parts), std::move(input)));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_unbatch) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<UnbatchKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .output("handle: variant")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("UnbatchDataset").doc("Makes a dataset of the rows of the elements of the input.");
  declare("ExperimentalUnbatchDataset").doc("An earlier name of UnbatchDataset.");
}

#include <algorithm>

#include "data/batch_rows.h"
#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/dataset_shapes.h"

namespace tinytf::ops {
namespace {

class TensorSliceDataset final : public Dataset {
 public:
  TensorSliceDataset(DatasetParts parts, int64_t count) : Dataset(std::move(parts)), count_(count) {
    for (const Tensor& whole : origin().inputs) {
      row_shapes_.push_back(Shape(Dims(whole.shape().dims().begin() + 1, whole.shape().dims().end())));
    }
  }
  int64_t cardinality() const override { return count_; }
  Result<IteratorPtr> make_iterator(IteratorContext&) const override;

  /// Row `at` of each component. It shares the memory of the whole.
  Status slice(int64_t at, Element& element) const {
    element.resize(row_shapes_.size());
    for (size_t i = 0; i < row_shapes_.size(); ++i) {
      const int64_t begin = at * row_shapes_[i].num_elements();  // below the elements of the whole
      TINYTF_ASSIGN_OR_RETURN(element[i], origin().inputs[i].view(begin, row_shapes_[i]));
    }
    return Status();
  }

 private:
  const int64_t count_;
  std::vector<Shape> row_shapes_;
};

class TensorSliceIterator final : public IteratorOf<TensorSliceDataset> {
 public:
  using IteratorOf::IteratorOf;

  Result<Pulled> pull(PullContext&, Element& element) override {
    if (at_ == dataset().cardinality()) return Pulled::kEnd;
    TINYTF_RETURN_IF_ERROR(dataset().slice(at_++, element));
    return Pulled::kElement;
  }
  Result<Pulled> pull_rows(PullContext& ctx, int64_t size, data::BatchRows& rows) override {
    const int64_t n = std::min(size - rows.collected(), dataset().cardinality() - at_);
    if (n < 1) return IteratorOf::pull_rows(ctx, size, rows);
    Element batch;
    for (const Tensor& whole : dataset().origin().inputs) {
      TINYTF_ASSIGN_OR_RETURN(Tensor part, whole.rows(at_, at_ + n));
      batch.push_back(std::move(part));
    }
    rows.collect_batch(ctx.allocator(), std::move(batch), size);
    at_ += n;
    return rows.collected() == size ? Pulled::kElement : Pulled::kEnd;
  }
  Status save(IteratorContext&, StateWriter& state) override {
    state.put_int("at", at_);
    return Status();
  }
  Status restore(IteratorContext&, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(at_, state.get_int("at", 0, dataset().cardinality()));
    return Status();
  }

 private:
  int64_t at_ = 0;
};

Result<IteratorPtr> TensorSliceDataset::make_iterator(IteratorContext&) const {
  return IteratorPtr(std::make_unique<TensorSliceIterator>(*this));
}

class TensorSliceKernel final : public DatasetKernel {
 public:
  explicit TensorSliceKernel(KernelInit& init) : DatasetKernel(init, "Toutput_types") {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    for (int i = 0; i < ctx.num_inputs(); ++i) {
      const Tensor& component = ctx.input(i);
      if (component.rank() == 0) return invalid_argument("All components must be at least 1-dimensional");
      if (component.dim(0) != ctx.input(0).dim(0)) {
        return invalid_argument("All components must have the same size in the 0th dimension");
      }
    }
    return RefPtr<const Dataset>(make_ref<TensorSliceDataset>(std::move(parts), ctx.input(0).dim(0)));
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_tensor_slice) {
  using namespace tinytf::ops;
  ops.op("TensorSliceDataset")
      .input("components: Toutput_types")
      .output("handle: variant")
      .attr("Toutput_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .stateful()
      .shape(shapes::scalar)
      .no_gradient()
      .doc("Makes a dataset of the rows of the inputs, which must have equally many. Rows are not copied.");
  kernels.add<TensorSliceKernel>("TensorSliceDataset");
}

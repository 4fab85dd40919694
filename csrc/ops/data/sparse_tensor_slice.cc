#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/dataset_shapes.h"

namespace tinytf::ops {
namespace {

/// The rows of a SparseTensor: the values whose first index is the row's number, as a SparseTensor with one dimension
/// less.
class SparseTensorSliceDataset final : public Dataset {
 public:
  SparseTensorSliceDataset(DatasetParts parts, Tensor row_shape, int64_t count)
      : Dataset(std::move(parts)), row_shape_(std::move(row_shape)), count_(count) {}

  int64_t cardinality() const override { return count_; }
  const Tensor& indices() const { return origin().inputs[0]; }
  int64_t num_values() const { return indices().dim(0); }
  /// The row of value i.
  int64_t row_of(int64_t i) const { return indices().int_at(i * indices().dim(1)); }

  /// Makes an element of the values [begin, end).
  Status slice(Allocator& allocator, int64_t begin, int64_t end, Element& element) const {
    const int64_t rank = indices().dim(1) - 1;
    element.resize(3);
    TINYTF_ASSIGN_OR_RETURN(element[0], Tensor::allocate(allocator, DType::kInt64, Shape({end - begin, rank})));
    for (int64_t i = begin; i < end; ++i) {
      copy_elements(indices(), i * (rank + 1) + 1, element[0], (i - begin) * rank, rank);
    }
    TINYTF_ASSIGN_OR_RETURN(element[1], origin().inputs[1].rows(begin, end));
    element[2] = row_shape_;
    return Status();
  }
  Result<IteratorPtr> make_iterator(IteratorContext&) const override;

 private:
  const Tensor row_shape_;
  const int64_t count_;
};

class SparseTensorSliceIterator final : public IteratorOf<SparseTensorSliceDataset> {
 public:
  using IteratorOf::IteratorOf;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    if (row_ == dataset().cardinality()) return Pulled::kEnd;
    // As in TensorFlow, a group of values whose row was passed already takes the place of the row's own.
    if (row_ > group_row_ && group_end_ < dataset().num_values()) {
      group_begin_ = group_end_;
      group_row_ = dataset().row_of(group_begin_);
      while (group_end_ < dataset().num_values() && dataset().row_of(group_end_) == group_row_) ++group_end_;
    }
    const bool has_values = row_ == group_row_;
    TINYTF_RETURN_IF_ERROR(
        dataset().slice(ctx.allocator(), has_values ? group_begin_ : 0, has_values ? group_end_ : 0, element));
    ++row_;
    return Pulled::kElement;
  }
  Status save(IteratorContext&, StateWriter& state) override {
    state.put_int("row", row_);
    state.put_int("group_begin", group_begin_);
    state.put_int("group_end", group_end_);
    return Status();
  }
  Status restore(IteratorContext&, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(row_, state.get_int("row", 0, dataset().cardinality()));
    TINYTF_ASSIGN_OR_RETURN(group_end_, state.get_int("group_end", 0, dataset().num_values()));
    TINYTF_ASSIGN_OR_RETURN(group_begin_, state.get_int("group_begin", 0, group_end_));
    group_row_ = group_begin_ < group_end_ ? dataset().row_of(group_begin_) : kNoRow;
    return Status();
  }

 private:
  static constexpr int64_t kNoRow = -1;
  int64_t row_ = 0;
  int64_t group_begin_ = 0, group_end_ = 0;  // The values of the next row that has some.
  int64_t group_row_ = kNoRow;
};

Result<IteratorPtr> SparseTensorSliceDataset::make_iterator(IteratorContext&) const {
  return IteratorPtr(std::make_unique<SparseTensorSliceIterator>(*this));
}

class SparseTensorSliceKernel final : public DatasetKernel {
 public:
  explicit SparseTensorSliceKernel(KernelInit& init) : DatasetKernel(init, "", "") {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_RETURN_IF_ERROR(check_ranks(ctx));
    const Tensor& indices = ctx.input(0);
    const Tensor& shape = ctx.input(2);
    const int64_t rank = shape.num_elements();
    TINYTF_ASSIGN_OR_RETURN(Tensor row_shape, Tensor::allocate(Allocator::process(), DType::kInt64, Shape({rank - 1})));
    for (int64_t i = 0; i < rank; ++i) {
      const int64_t size = shape.int_at(i);
      if (size < 0) return invalid_argument("dense_shape must not be negative, but dimension ", i, " is ", size);
      if (i > 0) row_shape.data<int64_t>()[i - 1] = size;
    }
    for (int64_t i = 1; i < indices.dim(0); ++i) {
      if (indices.int_at(i * rank) >= indices.int_at((i - 1) * rank)) continue;
      return unimplemented(
          "The SparseTensor must be ordered in the batch dimension; handling arbitrarily ordered input is not "
          "currently supported.");
    }
    auto spec = std::make_shared<ElementSpec>();
    spec->types = {DType::kInt64, ctx.input(1).dtype(), DType::kInt64};
    spec->shapes = {PartialShape::matrix(kUnknownDim, rank - 1), PartialShape::vector(kUnknownDim),
                    PartialShape::vector(rank - 1)};
    parts.spec = std::move(spec);
    return RefPtr<const Dataset>(
        make_ref<SparseTensorSliceDataset>(std::move(parts), std::move(row_shape), shape.int_at(0)));
  }

 private:
  static Status check_ranks(const KernelContext& ctx) {
    const Tensor &indices = ctx.input(0), &values = ctx.input(1), &shape = ctx.input(2);
    const auto wrong = [](const char* name, const char* noun, const Tensor& input) {
      return invalid_argument("Input ", name, " should be a ", noun, " but received shape ", input.shape().to_string());
    };
    if (indices.rank() != 2) return wrong("indices", "matrix", indices);
    if (values.rank() != 1) return wrong("values", "vector", indices);  // As TensorFlow, which tells the wrong shape.
    if (shape.rank() != 1) return wrong("shape", "vector", shape);
    if (indices.dim(0) != values.dim(0)) {
      return invalid_argument("indices and values rows (indexing dimension) must match. (indices = ", indices.dim(0),
                              ", values = ", values.dim(0), ")");
    }
    if (indices.dim(1) != shape.dim(0)) return invalid_argument("Order length must be SparseTensor rank.");
    if (shape.dim(0) == 0) return invalid_argument("The SparseTensor must have at least one dimension");
    return Status();
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_sparse_tensor_slice) {
  using namespace tinytf::ops;
  ops.op("SparseTensorSliceDataset")
      .input("indices: int64")
      .input("values: Tvalues")
      .input("dense_shape: int64")
      .output("handle: variant")
      .attr("Tvalues: type")
      .stateful()
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Makes a dataset of the rows of a SparseTensor, each of which is a SparseTensor with one dimension less: its "
          "indices, values and shape. `indices` must be sorted by row.");
  kernels.add<SparseTensorSliceKernel>("SparseTensorSliceDataset");
}

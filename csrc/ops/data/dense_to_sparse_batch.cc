#include <algorithm>

#include "ops/data/shared/unary_stage.h"
#include "ops/tensor_value.h"

namespace tinytf::ops {
namespace {

class DenseToSparseBatchDataset final : public UnaryDataset {
 public:
  DenseToSparseBatchDataset(DatasetParts parts, RefPtr<const Dataset> input, int64_t size, PartialShape row_shape)
      : UnaryDataset(std::move(parts), std::move(input)), size_(size), row_shape_(std::move(row_shape)) {}

  int64_t size() const { return size_; }
  /// Unknown dimensions are as large as in the largest element of a batch.
  const PartialShape& row_shape() const { return row_shape_; }
  int64_t cardinality() const override {
    const int64_t n = input().cardinality();
    return n < 0 ? n : n / size_ + (n % size_ > 0 ? 1 : 0);
  }
  Result<IteratorPtr> make_iterator(IteratorContext& ctx) const override;

 private:
  const int64_t size_;
  const PartialShape row_shape_;
};

class DenseToSparseBatchIterator final : public UnaryIterator<DenseToSparseBatchDataset> {
 public:
  using UnaryIterator::UnaryIterator;

  Result<Pulled> pull(PullContext& ctx, Element& element) override {
    while (!has_ended_ && static_cast<int64_t>(rows_.size()) < dataset().size()) {
      TINYTF_RETURN_IF_ERROR(ctx.check());
      Result<Pulled> pulled = pull_row(ctx, element);
      if (!pulled.ok()) rows_.clear();  // As in TensorFlow, the batch's elements so far are lost.
      if (!pulled.ok() || pulled.value() == Pulled::kPending) return pulled;
      has_ended_ = pulled.value() == Pulled::kEnd;
      if (!has_ended_) rows_.push_back(std::move(element[0]));
    }
    if (rows_.empty()) return Pulled::kEnd;
    const Status status = make_batch(ctx.allocator(), element);
    rows_.clear();
    TINYTF_RETURN_IF_ERROR(status);
    return Pulled::kElement;
  }
  Status save(IteratorContext& ctx, StateWriter& state) override {
    state.put_int("has_ended", has_ended_);
    state.put_int("rows", static_cast<int64_t>(rows_.size()));
    TINYTF_RETURN_IF_ERROR(state.put_element("row", rows_));
    return UnaryIterator::save(ctx, state);
  }
  Status restore(IteratorContext& ctx, StateReader& state) override {
    TINYTF_ASSIGN_OR_RETURN(const int64_t has_ended, state.get_int("has_ended", 0, 1));
    TINYTF_ASSIGN_OR_RETURN(const int64_t count, state.get_int("rows", 0, dataset().size() - 1));
    has_ended_ = has_ended != 0;
    rows_.clear();
    const StateReader rows = state.inside("row");
    for (int64_t i = 0; i < count; ++i) {  // Each takes a stored value.
      TINYTF_ASSIGN_OR_RETURN(Tensor row, rows.get(str_cat(i)));
      if (!check_row(row).ok()) return Status(Code::kDataLoss, "The saved position has a damaged batch");
      rows_.push_back(std::move(row));
    }
    return UnaryIterator::restore(ctx, state);
  }

 private:
  Result<Pulled> pull_row(PullContext& ctx, Element& element) {
    TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, input().next(ctx, element));
    if (pulled != Pulled::kElement) return pulled;
    if (element.size() != 1) {
      return invalid_argument("DenseToSparseBatchDataset only supports inputs with a single component.");
    }
    TINYTF_RETURN_IF_ERROR(check_row(element[0]));
    return pulled;
  }

  Status check_row(const Tensor& row) const {
    const PartialShape& wanted = dataset().row_shape();
    if (row.rank() != wanted.rank()) {
      return invalid_argument("Input element had shape (", row.shape().to_string(),
                              ") that is incompatible with the row shape (", wanted.to_string(), ").");
    }
    for (int i = 0; i < row.rank(); ++i) {
      if (wanted.dim(i) != kUnknownDim && row.dim(i) > wanted.dim(i)) {
        return Status(Code::kDataLoss, str_cat("Input element had shape (", row.shape().to_string(),
                                               ") that is larger than the row shape (", wanted.to_string(), ")."));
      }
    }
    if (row.dtype() == dataset().input().spec().types[0]) return Status();
    return invalid_argument("Input element has type ", dtype_name(row.dtype()), " where ",
                            dtype_name(dataset().input().spec().types[0]), " is declared.");
  }

  Status make_batch(Allocator& allocator, Element& batch) const {
    const int rank = dataset().row_shape().rank();
    Size total = 0;
    for (const Tensor& row : rows_) total = total + row.num_elements();
    TINYTF_ASSIGN_OR_RETURN(Tensor indices,
                            Tensor::allocate(allocator, DType::kInt64, Shape({total.value(), rank + 1})));
    TINYTF_ASSIGN_OR_RETURN(Tensor values, Tensor::allocate(allocator, rows_[0].dtype(), Shape({total.value()})));
    TINYTF_ASSIGN_OR_RETURN(const Tensor shape, dense_shape(allocator));
    int64_t* index = indices.data<int64_t>();
    int64_t at = 0;
    for (size_t row = 0; row < rows_.size(); ++row) {
      copy_elements(rows_[row], 0, values, at, rows_[row].num_elements());
      at += rows_[row].num_elements();
      index = write_indices(rows_[row], static_cast<int64_t>(row), index);
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor parts, Tensor::allocate(allocator, DType::kVariant, Shape({3})));
    auto* const variants = parts.data<Variant>();
    TINYTF_ASSIGN_OR_RETURN(variants[0], TensorValue::of(std::move(indices)));
    TINYTF_ASSIGN_OR_RETURN(variants[1], TensorValue::of(std::move(values)));
    TINYTF_ASSIGN_OR_RETURN(variants[2], TensorValue::of(shape));
    batch.clear();
    batch.push_back(std::move(parts));
    return Status();
  }
  Result<Tensor> dense_shape(Allocator& allocator) const {
    const PartialShape& wanted = dataset().row_shape();
    TINYTF_ASSIGN_OR_RETURN(Tensor shape, Tensor::allocate(allocator, DType::kInt64, Shape({wanted.rank() + 1})));
    auto* const dims = shape.data<int64_t>();
    dims[0] = static_cast<int64_t>(rows_.size());
    for (int i = 0; i < wanted.rank(); ++i) {
      dims[i + 1] = std::max<int64_t>(wanted.dim(i), 0);
      if (wanted.dim(i) != kUnknownDim) continue;
      for (const Tensor& row : rows_) dims[i + 1] = std::max(dims[i + 1], row.dim(i));
    }
    return shape;
  }
  /// Writes the index of each element of the row, and returns the end of what was written.
  static int64_t* write_indices(const Tensor& row, int64_t number, int64_t* index) {
    Dims at(static_cast<size_t>(row.rank()), 0);
    for (int64_t i = 0; i < row.num_elements(); ++i) {
      *index++ = number;
      index = std::copy(at.begin(), at.end(), index);
      for (int k = row.rank() - 1; k >= 0 && ++at[static_cast<size_t>(k)] == row.dim(k); --k) {
        at[static_cast<size_t>(k)] = 0;
      }
    }
    return index;
  }

  Element rows_;  // Of the batch that is being made, each an element's only component.
  bool has_ended_ = false;
};

Result<IteratorPtr> DenseToSparseBatchDataset::make_iterator(IteratorContext& ctx) const {
  return make_unary_iterator<DenseToSparseBatchIterator>(*this, ctx);
}

class DenseToSparseBatchKernel final : public DatasetKernel {
 public:
  explicit DenseToSparseBatchKernel(KernelInit& init) : DatasetKernel(init) {}

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    TINYTF_ASSIGN_OR_RETURN(RefPtr<const Dataset> input, dataset_input(ctx, 0));
    if (input->spec().types.size() != 1) {
      return invalid_argument("DenseToSparseBatchDataset only supports inputs with a single component.");
    }
    TINYTF_ASSIGN_OR_RETURN(const int64_t size, scalar_input<int64_t>(ctx, 1, "batch_size"));
    if (size <= 0) return invalid_argument("Batch size must be greater than zero.");
    TINYTF_ASSIGN_OR_RETURN(PartialShape row_shape, read_row_shape(ctx.input(2)));
    // TensorFlow's elements have this spec, whatever the attrs say.
    parts.spec = std::make_shared<const ElementSpec>(ElementSpec{{DType::kVariant}, {PartialShape::vector(3)}});
    return RefPtr<const Dataset>(
        make_ref<DenseToSparseBatchDataset>(std::move(parts), std::move(input), size, std::move(row_shape)));
  }

 private:
  static Result<PartialShape> read_row_shape(const Tensor& dims) {
    if (dims.rank() != 1) return invalid_argument("row_shape must be a vector");
    if (dims.dim(0) >= Shape::kMaxRank) return invalid_argument("row_shape has too many dimensions");
    PartialShape shape = PartialShape::scalar();
    for (int64_t i = 0; i < dims.dim(0); ++i) {
      const int64_t dim = dims.int_at(i);
      if (dim < -1) return invalid_argument("Dimension ", dim, " must be >= -1");
      shape.add_dim(dim);
    }
    return shape;
  }
};

Status sparse_batch_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(2, 1));
  return shapes::dataset<1>(c);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_dense_to_sparse_batch) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<DenseToSparseBatchKernel>(name);
    return ops.op(name)
        .input("input_dataset: variant")
        .input("batch_size: int64")
        .input("row_shape: int64")
        .output("handle: variant")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .shape(sparse_batch_shape)
        .no_gradient();
  };
  declare("DenseToSparseBatchDataset")
      .doc(
          "Makes a dataset of sparse tensors, each of `batch_size` elements of the input, in rows of `row_shape`. A "
          "dimension of -1 is as large as in the largest element of the batch.");
  declare("ExperimentalDenseToSparseBatchDataset").doc("An earlier name of DenseToSparseBatchDataset.");
}

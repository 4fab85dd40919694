#include "kernels/table.h"
#include "op/registration.h"
#include "ops/dtype_lists.h"
#include "ops/object_cost.h"
#include "ops/sparse/shared/own_places.h"
#include "ops/sparse/shared/sparse_value.h"

namespace tinytf::ops {
namespace {

class SparseToDenseKernel final : public Kernel {
 public:
  explicit SparseToDenseKernel(KernelInit& init)
      : validates_(init.attr<bool>("validate_indices")),
        size_(dtype_size(init.output_type(0))),
        fill_(kernels::table().copy.fill) {}

  Status compute(KernelContext& ctx) override {
    const Tensor &indices = ctx.input(0), &sizes = ctx.input(1), &values = ctx.input(2), &missing = ctx.input(3);
    TINYTF_RETURN_IF_ERROR(check(indices, sizes, values, missing));
    SparseValue sparse;
    sparse.values = values;
    Dims dims;
    for (int64_t d = 0; d < sizes.dim(0); ++d) {
      dims.push_back(sizes.int_at(d));
      sparse.shape.push_back(dims.back());
      if (dims.back() < 0) return invalid_argument("Dimension ", dims.back(), " must be >= 0");
    }
    TINYTF_ASSIGN_OR_RETURN(const Shape shape, Shape::checked(dims));
    TINYTF_ASSIGN_OR_RETURN(sparse.indices, own_places(ctx, indices, sparse.rank()));
    if (validates_) TINYTF_RETURN_IF_ERROR(check_order(ctx, sparse));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, shape));
    fill(ctx, missing, *out);
    return put(ctx, sparse, *out);
  }

 private:
  static Status check(const Tensor& indices, const Tensor& sizes, const Tensor& values, const Tensor& missing) {
    if (indices.rank() > 2) {
      return invalid_argument("sparse_indices should be a scalar, vector, or matrix, got shape ",
                              indices.shape().to_string());
    }
    if (sizes.rank() != 1) {
      return invalid_argument("output_shape should be a vector, got shape ", sizes.shape().to_string());
    }
    const int64_t n = indices.rank() > 0 ? indices.dim(0) : 1, rank = indices.rank() > 1 ? indices.dim(1) : 1;
    if (sizes.dim(0) != rank) {
      return invalid_argument("output_shape has incorrect number of elements: ", sizes.dim(0), " should be: ", rank);
    }
    if (values.rank() > 1 || (values.rank() == 1 && values.dim(0) != n)) {
      return invalid_argument("sparse_values has incorrect shape ", values.shape().to_string(), ", should be [] or [",
                              n, "]");
    }
    if (missing.rank() != 0) return invalid_argument("default_value should be a scalar.");
    return Status();
  }

  void fill(KernelContext& ctx, const Tensor& value, Tensor& out) const {
    if (size_ != 0) return fill_(out.raw(), value.raw(), size_, out.num_elements(), ctx.parallel());
    ctx.parallel().run(out.num_elements(), 1, kObjectCost, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) copy_elements(value, 0, out, i, 1);
    });
  }

  /// Writes the values at their indices; of equal indices the last one counts. For a scalar output, whose indices take
  /// no memory, only the last value is read.
  Status put(KernelContext& ctx, const SparseValue& sparse, Tensor& out) const {
    const int64_t n = sparse.indices.dim(0), rank = sparse.rank(), first = rank == 0 ? std::max<int64_t>(n - 1, 0) : 0;
    const bool is_scalar = sparse.values.rank() == 0;
    TINYTF_ASSIGN_OR_RETURN(Tensor rows, ctx.allocate(DType::kInt64, Shape({n - first})));
    const auto& gather = kernels::table().gather;
    auto* const row = rows.data<int64_t>();
    const kernels::Indices coordinates{sparse.indices.raw(), DType::kInt64, n - first};
    if (gather.flatten_nd(coordinates, static_cast<int>(rank), sparse.shape.data(), row, ctx.parallel()) !=
        kernels::kAllInRange) {
      return invalid_argument("Indices are not valid (out of bounds).  Shape: ", out.shape().to_string());
    }
    if (size_ != 0) {
      const auto* const from = static_cast<const char*>(sparse.values.raw()) + (is_scalar ? 0 : first * size_);
      const kernels::Indices where{row, DType::kInt64, n - first};
      gather.scatter_update(out.raw(), out.num_elements(), static_cast<int64_t>(size_), where, from,
                            is_scalar ? size_ : 0, ctx.parallel());
    } else {
      ctx.parallel().run_in_order(n - first, kObjectCost, [&](int64_t i, int64_t end) {
        for (; i < end; ++i) copy_elements(sparse.values, is_scalar ? 0 : first + i, out, row[i], 1);
      });
    }
    return Status();
  }

  const bool validates_;
  const size_t size_;  // element size in bytes; 0 for strings and handles
  decltype(kernels::CopyTable::fill) const fill_;
};

Status to_dense_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1));
  PartialShape out = c.input_as_shape(1);
  if (!out.known_rank() && c.input(1).known_rank() && c.input(1).dim(0) >= 0) {
    out = PartialShape::unknown_of_rank(c.input(1).dim(0));
  }
  c.set_output(0, std::move(out));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(sparse_to_dense) {
  using namespace tinytf;
  using namespace tinytf::ops;
  ops.op("SparseToDense")
      .input("sparse_indices: Tindices")
      .input("output_shape: Tindices")
      .input("sparse_values: T")
      .input("default_value: T")
      .output("dense: T")
      .attr("validate_indices: bool = true")
      .attr("T: type")
      .attr("Tindices: {int32, int64}")
      .shape(to_dense_shape)
      .doc(
          "Returns a tensor of shape `output_shape` with `sparse_values`, a vector or a scalar, at the indices in the "
          "rows of `sparse_indices`, and the scalar `default_value` elsewhere. With `validate_indices` the rows must "
          "be sorted and unique; otherwise the last of equal rows counts.");
  kernels.add<SparseToDenseKernel>("SparseToDense").where("T", any_of({kPlain, {DType::kString}}));
}

#include <algorithm>
#include <vector>

#include "base/checked.h"
#include "base/read_once.h"
#include "op/registration.h"
#include "ops/object_cost.h"
#include "ops/sparse/shared/row_order.h"
#include "ops/sparse/shared/sparse_parts.h"

namespace tinytf::ops {
namespace {

class SparseConcatKernel final : public Kernel {
 public:
  explicit SparseConcatKernel(KernelInit& init) : concat_dim_(init.int32_attr("concat_dim")) {}

  Status compute(KernelContext& ctx) override {
    const int parts = ctx.num_inputs() / 3;
    TINYTF_RETURN_IF_ERROR(check_ranks(ctx, parts));
    const int64_t rank = ctx.input(2 * parts).dim(0);
    const int64_t axis = concat_dim_ < 0 ? concat_dim_ + rank : concat_dim_;
    if (axis < 0 || axis >= rank) {
      return invalid_argument("Concat dimension must be in range [", -rank, ", ", rank, "), got ", concat_dim_);
    }
    Dims sizes;
    std::vector<int64_t> offsets;
    Size total = 0, along = 0;
    for (int p = 0; p < parts; ++p) {
      const Tensor& shape = ctx.input(2 * parts + p);
      TINYTF_RETURN_IF_ERROR(check_sizes(shape, p, rank, axis, sizes));
      TINYTF_RETURN_IF_ERROR(check_sparse_parts(ctx.input(p), ctx.input(parts + p), rank));
      offsets.push_back(along.value());
      along += shape.int_at(axis);
      total += ctx.input(p).dim(0);
    }
    sizes[static_cast<size_t>(axis)] = along.value();
    TINYTF_RETURN_IF_ERROR(Shape(sizes).check());
    TINYTF_ASSIGN_OR_RETURN(Tensor * indices, ctx.allocate_output(0, Shape({total.value(), rank})));
    TINYTF_ASSIGN_OR_RETURN(Tensor * values, ctx.allocate_output(1, Shape({total.value()})));
    TINYTF_ASSIGN_OR_RETURN(Tensor * shape, ctx.allocate_output(2, Shape({rank})));
    std::copy(sizes.begin(), sizes.end(), shape->data<int64_t>());
    TINYTF_ASSIGN_OR_RETURN(Tensor joined, ctx.allocate(DType::kInt64, indices->shape()));
    join(ctx, parts, axis, offsets, joined);
    return put_in_order(ctx, parts, joined, *indices, *values);
  }

 private:
  static Status check_ranks(KernelContext& ctx, int parts) {
    for (int p = 0; p < parts; ++p) {
      const Tensor &indices = ctx.input(p), &values = ctx.input(parts + p), &shape = ctx.input(2 * parts + p);
      if (indices.rank() != 2) {
        return invalid_argument("Input indices should be a matrix but received shape ", indices.shape().to_string(),
                                " at position ", p);
      }
      if (values.rank() != 1) {
        return invalid_argument("Input values should be a vector but received shape ", values.shape().to_string(),
                                " at position ", p);
      }
      if (shape.rank() != 1) {
        return invalid_argument("Input shapes should be a vector but received shape ", shape.shape().to_string(),
                                " at position ", p);
      }
    }
    return Status();
  }

  /// Checks that part p has the same sizes as part 0, which are stored in `sizes`, except along the axis.
  static Status check_sizes(const Tensor& shape, int p, int64_t rank, int64_t axis, Dims& sizes) {
    if (shape.dim(0) != rank) {
      return invalid_argument("Ranks of all input tensors must match: expected ", rank, " but got ", shape.dim(0),
                              " at position ", p);
    }
    for (int64_t d = 0; d < rank; ++d) {
      const int64_t size = shape.int_at(d);
      if (size < 0) return invalid_argument("Size ", size, " of dimension ", d, " at position ", p, " is negative");
      if (p == 0) {
        sizes.push_back(size);
      } else if (const int64_t expected = sizes[static_cast<size_t>(d)]; d != axis && size != expected) {
        return invalid_argument("Input shapes must match: expected ", expected, " for dimension ", d, " but got ", size,
                                " at position ", p);
      }
    }
    return Status();
  }

  /// Concatenates the indices of all parts, shifted along the axis.
  static void join(KernelContext& ctx, int parts, int64_t axis, const std::vector<int64_t>& offsets, Tensor& joined) {
    const int64_t rank = joined.dim(1);
    auto* to = joined.data<int64_t>();
    for (int p = 0; p < parts; ++p) {
      const Tensor& indices = ctx.input(p);
      const auto* const from = indices.data<int64_t>();
      const auto offset = static_cast<uint64_t>(offsets[static_cast<size_t>(p)]);
      ctx.parallel().run(indices.dim(0), 256, static_cast<double>(rank), [&](int64_t i, int64_t end) {
        for (int64_t k = i * rank; k < end * rank; ++k) {
          const auto index = static_cast<uint64_t>(read_once(from + k));  // unchecked, so it may wrap around
          to[k] = static_cast<int64_t>(index + (k % rank == axis ? offset : 0));
        }
      });
      to += indices.num_elements();
    }
  }

  static Status put_in_order(KernelContext& ctx, int parts, const Tensor& joined, Tensor& indices, Tensor& values) {
    const int64_t n = joined.dim(0), rank = joined.dim(1);
    const auto* const rows = joined.data<int64_t>();
    std::vector<std::pair<int, int64_t>> sources;  // part and position of the value of each row
    sources.reserve(static_cast<size_t>(n));
    for (int p = 0; p < parts; ++p) {
      for (int64_t i = 0; i < ctx.input(p).dim(0); ++i) sources.emplace_back(p, i);
    }
    TINYTF_ASSIGN_OR_RETURN(const std::vector<int64_t> order, row_order(ctx, rows, n, rank));
    ctx.parallel().run(n, 1, row_cost(values, 1) + row_cost(indices, rank), [&](int64_t i, int64_t end) {
      for (; i < end; ++i) {
        const auto row = static_cast<size_t>(order[static_cast<size_t>(i)]);
        std::copy_n(rows + static_cast<int64_t>(row) * rank, rank, indices.data<int64_t>() + i * rank);
        copy_elements(ctx.input(parts + sources[row].first), sources[row].second, values, i, 1);
      }
    });
    return Status();
  }

  const int64_t concat_dim_;
};

Status concat_shape(ShapeContext& c) {
  const int parts = c.num_inputs() / 3;
  Size total = 0;
  bool counted = true;
  int64_t rank = kUnknownDim;
  for (int p = 0; p < parts; ++p) {
    TINYTF_ASSIGN_OR_RETURN(const SparseParts part, inferred_sparse_parts(c, p, parts));
    TINYTF_ASSIGN_OR_RETURN(rank, merge_dims(rank, part.rank));
    counted = counted && part.count != kUnknownDim;
    if (counted) total += part.count;
  }
  const int64_t count = counted ? total.value() : kUnknownDim;
  c.set_output(0, PartialShape::matrix(count, rank));
  c.set_output(1, PartialShape::vector(count));
  c.set_output(2, PartialShape::vector(rank));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(sparse_concat) {
  using namespace tinytf::ops;
  ops.op("SparseConcat")
      .input("indices: N * int64")
      .input("values: N * T")
      .input("shapes: N * int64")
      .output("output_indices: int64")
      .output("output_values: T")
      .output("output_shape: int64")
      .attr("concat_dim: int")
      .attr("N: int >= 2")
      .attr("T: type")
      .shape(concat_shape)
      .not_differentiable()
      .doc(
          "Concatenates SparseTensors along dimension `concat_dim`, which counts from the end if negative. Their other "
          "sizes must be equal. The elements of the result are sorted by their indices.");
  kernels.add<SparseConcatKernel>("SparseConcat");
}

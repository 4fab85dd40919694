#include "ops/sparse/shared/sparse_value.h"

#include <algorithm>

namespace tinytf::ops {

namespace {

/// The index as text: "[1,2]".
std::string index_text(const int64_t* sizes, int64_t rank) {
  return str_cat("[", str_join(std::vector<int64_t>(sizes, sizes + rank), ",", [](int64_t i) { return str_cat(i); }),
                 "]");
}

Status check_row(const SparseValue& sparse, int64_t row) {
  const int64_t rank = sparse.rank();
  const auto* index = sparse.indices.data<int64_t>() + row * rank;
  const auto name = [&] { return str_cat("indices[", row, "] = ", index_text(index, rank)); };
  for (int64_t d = 0; d < rank; ++d) {
    if (index[d] >= 0 && index[d] < sparse.shape[static_cast<size_t>(d)]) continue;
    return invalid_argument(name(), " is out of bounds: need 0 <= index < ", index_text(sparse.shape.data(), rank));
  }
  if (row == 0) return Status();
  const auto* before = index - rank;
  if (std::lexicographical_compare(before, before + rank, index, index + rank)) return Status();
  if (std::equal(before, before + rank, index)) return invalid_argument(name(), " is repeated");
  return invalid_argument(name(),
                          " is out of order. Many sparse ops require sorted indices.\n    Use `tf.sparse.reorder` to "
                          "create a correctly ordered copy.\n\n");
}

}  // namespace

Status check_sparse_ranks(const KernelContext& ctx, int first) {
  const Shape &indices = ctx.input(first).shape(), &values = ctx.input(first + 1).shape();
  const Shape& shape = ctx.input(first + 2).shape();
  if (indices.rank() != 2) {
    return invalid_argument("Input indices should be a matrix but received shape ", indices.to_string());
  }
  if (values.rank() != 1) {
    return invalid_argument("Input values should be a vector but received shape ", values.to_string());
  }
  if (shape.rank() != 1) {
    return invalid_argument("Input shape should be a vector but received shape ", shape.to_string());
  }
  return Status();
}

Result<SparseValue> read_sparse(const KernelContext& ctx, int first) {
  TINYTF_RETURN_IF_ERROR(check_sparse_ranks(ctx, first));
  const Tensor &indices = ctx.input(first), &values = ctx.input(first + 1), &shape = ctx.input(first + 2);
  if (indices.dim(0) != values.dim(0)) {
    return invalid_argument("indices and values rows (indexing dimension) must match. (indices = ", indices.dim(0),
                            ", values = ", values.dim(0), ")");
  }
  if (indices.dim(1) != shape.dim(0)) return invalid_argument("Order length must be SparseTensor rank.");
  std::vector<int64_t> sizes(static_cast<size_t>(shape.dim(0)));
  for (size_t d = 0; d < sizes.size(); ++d) {
    sizes[d] = shape.int_at(static_cast<int64_t>(d));
    if (sizes[d] < 0) return invalid_argument("Dimension ", sizes[d], " must be >= 0");
  }
  return SparseValue{indices, values, std::move(sizes)};
}

Status check_order(const KernelContext& ctx, const SparseValue& sparse) {
  for (int64_t row = 0, n = sparse.indices.dim(0); row < n; ++row) {
    if (row % 1024 == 1023 && ctx.is_over()) return Status(Code::kCancelled, "Step was cancelled");
    TINYTF_RETURN_IF_ERROR(check_row(sparse, row));
  }
  return Status();
}

Result<std::deque<SparseValue>> split_rows(const KernelContext& ctx, const SparseValue& sparse) {
  const int64_t rank = sparse.rank();
  if (rank < 2) return invalid_argument("Rank of input SparseTensor should be > 1, but saw rank: ", rank);
  // The memory of a fed value may be changed concurrently, so it is read only once, into a copy.
  TINYTF_ASSIGN_OR_RETURN(const Tensor own, sparse.indices.clone(ctx.allocator()));
  const SparseValue read{own, sparse.values, sparse.shape};
  TINYTF_RETURN_IF_ERROR(check_order(ctx, read));
  std::deque<SparseValue> rows;
  const std::vector<int64_t> shape(sparse.shape.begin() + 1, sparse.shape.end());
  const auto* from = own.data<int64_t>();
  const int64_t n = sparse.values.dim(0);
  // Empty rows, of which there may be many, share these tensors.
  TINYTF_ASSIGN_OR_RETURN(const Tensor no_indices, ctx.allocate(DType::kInt64, Shape({0, rank - 1})));
  TINYTF_ASSIGN_OR_RETURN(const Tensor no_values, ctx.allocate(sparse.values.dtype(), Shape({0})));
  for (int64_t begin = 0; static_cast<int64_t>(rows.size()) < sparse.shape[0];) {
    const auto row = static_cast<int64_t>(rows.size());
    if (row % 1024 == 0 && ctx.is_over()) return Status(Code::kCancelled, "Step was cancelled");
    int64_t end = begin;
    while (end < n && from[end * rank] == row) ++end;
    if (begin == end) {
      rows.push_back({no_indices, no_values, shape});
      continue;
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor indices, ctx.allocate(DType::kInt64, Shape({end - begin, rank - 1})));
    for (int64_t i = begin; i < end; ++i) {
      std::copy_n(from + i * rank + 1, rank - 1, indices.data<int64_t>() + (i - begin) * (rank - 1));
    }
    TINYTF_ASSIGN_OR_RETURN(Tensor values, ctx.allocate(sparse.values.dtype(), Shape({end - begin})));
    copy_elements(sparse.values, begin, values, 0, end - begin);
    rows.push_back({std::move(indices), std::move(values), shape});
    begin = end;
  }
  return rows;
}

Result<SparseValue> joined_rows(const KernelContext& ctx, const std::vector<SparseValue>& rows) {
  const int64_t rank = rows[0].rank();
  std::vector<int64_t> shape(static_cast<size_t>(rank + 1), 0);
  shape[0] = static_cast<int64_t>(rows.size());
  Size n = 0;
  for (const SparseValue& row : rows) {
    n = n + row.values.dim(0);
    for (size_t d = 0; d < row.shape.size(); ++d) shape[d + 1] = std::max(shape[d + 1], row.shape[d]);
  }
  TINYTF_ASSIGN_OR_RETURN(Tensor indices, ctx.allocate(DType::kInt64, Shape({n.value(), rank + 1})));
  TINYTF_ASSIGN_OR_RETURN(Tensor values, ctx.allocate(rows[0].values.dtype(), Shape({n.value()})));
  int64_t at = 0;
  for (size_t i = 0; i < rows.size(); ++i) {
    const int64_t count = rows[i].values.dim(0);
    const auto* from = rows[i].indices.data<int64_t>();
    for (int64_t r = 0; r < count; ++r) {
      auto* to = indices.data<int64_t>() + (at + r) * (rank + 1);
      *to = static_cast<int64_t>(i);
      std::copy_n(from + r * rank, rank, to + 1);
    }
    copy_elements(rows[i].values, 0, values, at, count);
    at += count;
  }
  return SparseValue{std::move(indices), std::move(values), std::move(shape)};
}

}  // namespace tinytf::ops

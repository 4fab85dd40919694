#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/checked.h"
#include "io/bundle_reader.h"
#include "op/registration.h"

namespace tinytf::ops {
namespace {

/// A saved row or column `from`, and its index `to` in the output.
struct Move {
  int64_t from, to;
};

/// The moves for a remapping, which holds the source of each output row or column, or a negative number if there is
/// none.
Result<std::vector<Move>> moves_of(const Tensor& remapping) {
  std::vector<Move> moves;
  std::unordered_map<int64_t, int64_t> taken;
  for (int64_t to = 0; to < remapping.num_elements(); ++to) {
    const int64_t from = remapping.data<int64_t>()[to];
    if (from < 0) continue;
    const auto [before, is_new] = taken.try_emplace(from, to);
    if (!is_new) {
      return unimplemented("Old ID ", from, " is mapped to both new ID ", before->second, " and ", to,
                           ", which is not supported.");
    }
    moves.push_back({from, to});
  }
  return moves;
}

/// One execution of the op.
class RemappedMatrix {
 public:
  RemappedMatrix(KernelContext& ctx, int64_t rows, int64_t columns, int64_t max_rows)
      : ctx_(ctx), rows_(rows), columns_(columns), max_rows_(max_rows) {}

  Status run() {
    TINYTF_RETURN_IF_ERROR(check_inputs());
    TINYTF_ASSIGN_OR_RETURN(row_moves_, moves_of(ctx_.input(2)));
    TINYTF_ASSIGN_OR_RETURN(column_moves_, moves_of(ctx_.input(3)));
    TINYTF_ASSIGN_OR_RETURN(const auto reader, BundleReader::open(*ctx_.input(0).data<std::string>()));
    TINYTF_ASSIGN_OR_RETURN(const BundleEntry entry, reader->index().find(name()));
    TINYTF_RETURN_IF_ERROR(check_entry(entry));
    TINYTF_RETURN_IF_ERROR(check_fresh());
    TINYTF_ASSIGN_OR_RETURN(out_, ctx_.allocate_output(0, Shape({rows_, columns_})));
    TINYTF_RETURN_IF_ERROR(move_rows(*reader, entry));
    fill_in();
    return Status();
  }

 private:
  const std::string& name() const { return *ctx_.input(1).data<std::string>(); }
  bool keeps_columns() const { return ctx_.input(3).num_elements() == 0; }

  Status check_inputs() const {
    for (int i = 0; i < 2; ++i) {
      if (ctx_.input(i).num_elements() == 1) continue;
      return invalid_argument(i == 0 ? "ckpt_path" : "old_tensor_name", " should be a single string, but got ",
                              ctx_.input(i).shape().to_string());
    }
    for (int i = 2; i < 4; ++i) {
      if (ctx_.input(i).rank() == 1) continue;
      return invalid_argument(i == 2 ? "row_remapping" : "col_remapping", " must be a vector, but its shape is ",
                              ctx_.input(i).shape().to_string());
    }
    if (const int64_t size = ctx_.input(2).num_elements(); size != rows_) {
      return invalid_argument("Size of row_remapping is ", size, " instead of being equal to num_rows=", rows_);
    }
    if (const int64_t size = ctx_.input(3).num_elements(); !keeps_columns() && size != columns_) {
      return invalid_argument("Provided col_remapping, but its size is ", size,
                              " instead of being equal to num_cols=", columns_);
    }
    return Status();
  }

  /// Checks that the saved tensor is a float matrix with the requested rows and columns.
  Status check_entry(const BundleEntry& entry) {
    if (entry.dtype != DType::kFloat) {
      return invalid_argument("Tensor ", name(), " has invalid type ", dtype_name(entry.dtype),
                              " instead of expected type float");
    }
    if (entry.shape.rank() != 2) {
      return invalid_argument("Tensor ", name(), " has shape ", entry.shape.to_string(), " of invalid rank ",
                              entry.shape.rank(), " instead of expected shape of rank 2.");
    }
    saved_columns_ = entry.shape.dim(1);
    if (keeps_columns() && saved_columns_ != columns_) {
      return invalid_argument("Tensor ", name(), " has shape ", entry.shape.to_string(),
                              ", where the size of its 2nd dimension is ", saved_columns_,
                              " instead of being equal to num_cols=", columns_);
    }
    for (const Move& move : column_moves_) {
      if (move.from < saved_columns_) continue;
      return invalid_argument("Extent in dimension 1 out of bounds: shape = ", entry.shape.to_string(), ", but entry ",
                              move.to, " of col_remapping is ", move.from);
    }
    for (const Move& move : row_moves_) {
      if (move.from < entry.shape.dim(0)) continue;
      return Status(Code::kInternal, str_cat("Extent in dimension 0 out of bounds: shape = ", entry.shape.to_string(),
                                             ", but entry ", move.to, " of row_remapping is ", move.from));
    }
    return Status();
  }

  /// Checks that there are exactly as many initializing values as output elements without a source.
  Status check_fresh() const {
    const auto moved_rows = static_cast<int64_t>(row_moves_.size());
    const int64_t moved_columns = keeps_columns() ? columns_ : static_cast<int64_t>(column_moves_.size());
    const Size all_missing = Size(rows_) * columns_ - Size(moved_rows) * moved_columns;
    if (!all_missing.ok()) {
      return invalid_argument("A matrix of ", rows_, " rows and ", columns_, " columns has too many elements");
    }
    const int64_t given = ctx_.input(4).num_elements(), missing = all_missing.value();
    if (given < missing) {
      return invalid_argument("initializing_values contained ", given, " elements, but more missing values remain.");
    }
    if (given > missing) {
      return invalid_argument("initializing_values contained ", given, " elements, but only ", missing,
                              " elements were used to fill in missing values.");
    }
    return Status();
  }

  /// Reads blocks of at most `max_rows` rows, beginning at the first wanted row of the matrix, and skips blocks without
  /// wanted rows.
  Status move_rows(BundleReader& reader, const BundleEntry& entry) {
    if (row_moves_.empty()) return Status();
    std::sort(row_moves_.begin(), row_moves_.end(), [](const Move& a, const Move& b) { return a.from < b.from; });
    const int64_t first = row_moves_.front().from, all = row_moves_.back().from - first + 1;
    const int64_t most = max_rows_ > 0 ? std::min(max_rows_, all) : all;
    for (auto move = row_moves_.begin(); move != row_moves_.end();) {
      const int64_t begin = first + (move->from - first) / most * most;
      const int64_t count = std::min(most, first + all - begin);
      TINYTF_ASSIGN_OR_RETURN(const Tensor saved, read_rows(reader, entry, begin, count));
      for (; move != row_moves_.end() && move->from - begin < count; ++move) {
        move_columns(saved.data<float>() + (move->from - begin) * saved_columns_, move->to);
      }
    }
    return Status();
  }

  Result<Tensor> read_rows(BundleReader& reader, const BundleEntry& entry, int64_t begin, int64_t count) {
    if (ctx_.is_over()) return Status(Code::kCancelled, "The step ended before the matrix was read");
    TensorSlice slice;
    const bool is_whole = begin == 0 && count == entry.shape.dim(0);
    TINYTF_RETURN_IF_ERROR(slice.add(is_whole ? TensorSlice::Extent() : TensorSlice::Extent{begin, count}));
    TINYTF_RETURN_IF_ERROR(slice.add({}));
    TINYTF_ASSIGN_OR_RETURN(const StoredTensor stored, reader.locate(name(), entry, slice));
    TINYTF_ASSIGN_OR_RETURN(Tensor saved, ctx_.allocate(DType::kFloat, stored.shape));
    reader.add(stored, saved);
    TINYTF_RETURN_IF_ERROR(reader.run(ctx_.parallel()));
    return saved;
  }

  void move_columns(const float* from, int64_t to_row) {
    float* const to = out_->data<float>() + to_row * columns_;
    if (keeps_columns()) {
      std::copy_n(from, columns_, to);
    } else {
      for (const Move& move : column_moves_) to[move.to] = from[move.from];
    }
  }

  /// Fills the output elements without a source with the initializing values, in row-major order.
  void fill_in() {
    const float* fresh = ctx_.input(4).data<float>();
    const auto *const rows = ctx_.input(2).data<int64_t>(), *const columns = ctx_.input(3).data<int64_t>();
    float* to = out_->data<float>();
    for (int64_t row = 0; row < rows_; ++row, to += columns_) {
      if (rows[row] >= 0 && keeps_columns()) continue;
      for (int64_t i = 0; i < columns_; ++i) {
        if (rows[row] < 0 || columns[i] < 0) to[i] = *fresh++;
      }
    }
  }

  KernelContext& ctx_;
  const int64_t rows_, columns_, max_rows_;
  std::vector<Move> row_moves_, column_moves_;
  int64_t saved_columns_ = 0;
  Tensor* out_ = nullptr;
};

class LoadAndRemapMatrixKernel final : public Kernel {
 public:
  explicit LoadAndRemapMatrixKernel(KernelInit& init)
      : rows_(init.attr<int64_t>("num_rows")),
        columns_(init.attr<int64_t>("num_cols")),
        max_rows_(init.attr<int64_t>("max_rows_in_memory")) {}

  Status compute(KernelContext& ctx) override { return RemappedMatrix(ctx, rows_, columns_, max_rows_).run(); }

 private:
  const int64_t rows_, columns_, max_rows_;
};

Status remapped_matrix_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 0));
  c.set_output(0, PartialShape::matrix(c.attr<int64_t>("num_rows"), c.attr<int64_t>("num_cols")));
  return Status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(io_load_and_remap_matrix) {
  using namespace tinytf::ops;
  ops.op("LoadAndRemapMatrix")
      .input("ckpt_path: string")
      .input("old_tensor_name: string")
      .input("row_remapping: int64")
      .input("col_remapping: int64")
      .input("initializing_values: float")
      .output("output_matrix: float")
      .attr("num_rows: int >= 0")
      .attr("num_cols: int >= 1")
      .attr("max_rows_in_memory: int = -1")
      .stateful()
      .trait(Trait::kReadsExternalState)
      .shape(remapped_matrix_shape)
      .not_differentiable()
      .doc(
          "Loads the matrix `old_tensor_name` from a checkpoint of SaveV2 and permutes its rows and columns. Entry i "
          "of `row_remapping` (`col_remapping`) is the saved index of output row (column) i, or negative for a new "
          "one; an empty `col_remapping` keeps all columns. New elements are taken from `initializing_values` in "
          "row-major order, which must have exactly as many; if `max_rows_in_memory` is positive, at most so many rows "
          "are read at a time.");
  kernels.add<LoadAndRemapMatrixKernel>("LoadAndRemapMatrix");
}

#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/checked.h"
#include "base/read_once.h"
#include "op/kernel.h"
#include "ops/sparse/shared/sparse_parts.h"

namespace tinytf::ops {

/// Iterates over the sets that a tensor holds along its last dimension: there is one set for each index ("group") of
/// the other dimensions. For a SparseTensor only nonempty sets are visited. The inputs must outlive it.
template <class T>
class SetGroups {
 public:
  /// Type of the elements in computations; strings are views.
  using Element = std::conditional_t<std::is_same_v<T, std::string>, std::string_view, T>;

  static Result<SetGroups> dense(const Tensor& tensor) {
    if (tensor.rank() < 2) {
      return invalid_argument("Shape ", tensor.shape().to_string(), " has rank ", tensor.rank(), " < 2");
    }
    SetGroups sets(tensor);
    sets.row_ = tensor.dim(tensor.rank() - 1);
    Dims dims = tensor.shape().dims();
    dims.pop_back();
    TINYTF_ASSIGN_OR_RETURN(sets.shape_, Shape::checked(std::move(dims)));
    sets.count_ = sets.row_ > 0 ? sets.shape_.num_elements() : 0;
    return sets;
  }

  /// InvalidArgument unless the indices are sorted, unique and within the shape.
  static Result<SetGroups> sparse(KernelContext& ctx, const Tensor& indices, const Tensor& values,
                                  const Tensor& shape) {
    if (shape.rank() != 1) return invalid_argument("shape must be a vec, but got: ", shape.shape().to_string());
    const int64_t rank = shape.dim(0);
    if (rank < 2 || rank > Shape::kMaxRank) return invalid_argument("Invalid rank ", rank, ".");
    TINYTF_RETURN_IF_ERROR(check_sparse_parts(indices, values, rank));
    Dims sizes;
    for (int64_t d = 0; d < rank; ++d) sizes.push_back(shape.int_at(d));
    if (sizes.back() < 0) return invalid_argument("Shape ", Shape(sizes).to_string(), " is not valid");
    SetGroups sets(values);
    TINYTF_ASSIGN_OR_RETURN(sets.shape_, Shape::checked(Dims(sizes.begin(), sizes.end() - 1)));
    TINYTF_RETURN_IF_ERROR(sets.read_indices(ctx, indices, sizes));
    return sets;
  }

  /// The dimensions that index the sets.
  const Shape& shape() const { return shape_; }
  /// Upper bound of the number of sets.
  int64_t count() const { return count_; }
  /// Approximate cost of one set in nanoseconds.
  double cost() const { return kElementCost * (row_ > 0 ? static_cast<double>(row_) : 2.0); }

  /// The group of the next set as an index in row-major order; kEnd at the end.
  int64_t group() const {
    if (at_ >= end()) return kEnd;
    return row_ > 0 ? at_ : group_of_[static_cast<size_t>(at_)];
  }
  /// Takes the next set, sorted and without duplicates.
  void take(std::vector<Element>& set) {
    const int64_t group = this->group();
    int64_t begin = at_ * row_, end = begin + row_;
    if (row_ > 0) {
      ++at_;
    } else {
      begin = at_;
      while (this->group() == group) ++at_;
      end = at_;
    }
    set.assign(values_ + begin, values_ + end);
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
  }

  static constexpr int64_t kEnd = std::numeric_limits<int64_t>::max();

 private:
  explicit SetGroups(const Tensor& values) : values_(values.data<T>()) {}

  int64_t end() const { return row_ > 0 ? count_ : static_cast<int64_t>(group_of_.size()); }

  Status read_indices(KernelContext& ctx, const Tensor& indices, const Dims& sizes) {
    const int64_t n = indices.dim(0), rank = indices.dim(1);
    const auto* const from = indices.data<int64_t>();
    group_of_.resize(static_cast<size_t>(n));
    int64_t group_before = -1, last_before = -1;
    Status status;
    ctx.parallel().run_in_order(n, kIndexCost * static_cast<double>(rank), [&](int64_t i, int64_t end) {
      for (; status.ok() && i < end; ++i) {
        Dims index;
        bool inside = true;
        Size group = 0;
        for (int64_t d = 0; d < rank; ++d) {
          const auto at = static_cast<size_t>(d);
          index.push_back(read_once(from + i * rank + d));
          inside = inside && index[at] >= 0 && index[at] < sizes[at];
          if (d + 1 < rank) group = group * sizes[at] + index[at];
        }
        const int64_t last = index.back();
        const auto error = [&](const auto&... what) {
          return invalid_argument("indices[", i, "] = ", Shape(index).to_string(), what...);
        };
        if (!inside || !group.ok()) {
          status = error(" is out of bounds: need 0 <= index < ", Shape(sizes).to_string());
        } else if (group.value() < group_before || (group.value() == group_before && last < last_before)) {
          status = error(
              " is out of order. Many sparse ops require sorted indices.\n"
              "    Use `tf.sparse.reorder` to create a correctly ordered copy.\n\n");
        } else if (group.value() == group_before && last == last_before) {
          status = error(" is repeated");
        } else {
          count_ += group.value() != group_before ? 1 : 0;
          group_of_[static_cast<size_t>(i)] = group_before = group.value();
          last_before = last;
        }
      }
    });
    return status;
  }

  static constexpr double kElementCost = 30, kIndexCost = 2;  // nanoseconds

  const T* values_;
  int64_t row_ = 0;    // number of elements of each set of a dense tensor; 0 for a sparse tensor or empty sets
  int64_t count_ = 0;  // number of sets
  int64_t at_ = 0;     // the next set, or for a sparse tensor its first element
  Shape shape_;
  std::vector<int64_t> group_of_;  // group of each element of a SparseTensor
};

}  // namespace tinytf::ops

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/status.h"
#include "io/tensor_slice.h"
#include "tensor/shape.h"

namespace tinytf {

/// Position of a part within its tensor.
struct TensorBox {
  Dims start;
  Dims length;

  /// The box of a slice that lies within the shape.
  static TensorBox of(const TensorSlice& slice, const Shape& shape);
  int rank() const { return static_cast<int>(start.size()); }
  int64_t end(size_t i) const { return start[i] + length[i]; }
  int64_t num_elements() const { return Shape(length).num_elements(); }
};

/// Intersection of two boxes of one tensor; nullopt if it is empty.
std::optional<TensorBox> shared_box(const TensorBox& a, const TensorBox& b);

/// Returns the indices of the parts that intersect `wanted`, if these cover each of its elements exactly once; else
/// nullopt.
std::optional<std::vector<size_t>> parts_that_fill(const TensorBox& wanted, const std::vector<TensorBox>& parts);

/// Iterates over the elements that two boxes of one tensor share, in runs that are contiguous in both, in ascending
/// order.
class SharedRuns {
 public:
  struct Run {
    int64_t from = 0;  ///< Index of its first element in the first box.
    int64_t to = 0;    ///< Index of its first element in the second box.
    int64_t count = 0;
  };
  SharedRuns(const TensorBox& from, const TensorBox& to);
  /// Returns false after the last run.
  bool next(Run& run);

 private:
  struct Step {
    int64_t count, from, to;  // Number of positions, and strides in elements.
  };
  std::vector<Step> steps_;  // Outermost first.
  std::vector<int64_t> at_;
  Run run_;
  bool done_ = false;
};

}  // namespace tinytf

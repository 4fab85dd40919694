#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/status.h"
#include "io/tensor_slice.h"
#include "tensor/shape.h"

namespace tinytf {

/// Where a part of a tensor lies in it.
struct TensorBox {
  Dims start;
  Dims length;

  /// Of a slice that lies within that shape.
  static TensorBox of(const TensorSlice& slice, const Shape& shape);
  int rank() const { return static_cast<int>(start.size()); }
  int64_t end(size_t i) const { return start[i] + length[i]; }
  int64_t num_elements() const { return Shape(length).num_elements(); }
};

/// What two boxes of one tensor share; none if that is nothing.
std::optional<TensorBox> shared_box(const TensorBox& a, const TensorBox& b);

/// The positions of those parts that share something with `wanted`, if they have each of its elements exactly once;
/// else none.
std::optional<std::vector<size_t>> parts_that_fill(const TensorBox& wanted, const std::vector<TensorBox>& parts);

/// The elements that two tensors share which are boxes of a third: runs that are one piece in both, from the front to
/// the end of both.
class SharedRuns {
 public:
  struct Run {
    int64_t from = 0;  ///< number of its first element in the first tensor
    int64_t to = 0;    ///< and in the second
    int64_t count = 0;
  };
  SharedRuns(const TensorBox& from, const TensorBox& to);
  /// False after the last one.
  bool next(Run& run);

 private:
  struct Step {
    int64_t count, from, to;  // so many times further by so many elements
  };
  std::vector<Step> steps_;  // the outermost first
  std::vector<int64_t> at_;
  Run run_;
  bool done_ = false;
};

}  // namespace tinytf

#include "tensor/partial_shape.h"

#include <algorithm>

namespace tinytf {

PartialShape PartialShape::unknown_of_rank(int64_t rank) {
  return rank < 0 || rank > Shape::kMaxRank ? PartialShape()
                                            : PartialShape(Dims(static_cast<size_t>(rank), kUnknownDim));
}

bool PartialShape::fully_defined() const {
  if (!known_rank_) return false;
  for (int64_t d : dims_) {
    if (d < 0) return false;
  }
  return true;
}

int64_t PartialShape::num_elements() const {
  if (!known_rank_) return kUnknownDim;
  const int64_t n = Shape(dims_).num_elements();
  return n < 0 ? kUnknownDim : n;
}

PartialShape PartialShape::slice(int64_t begin, int64_t end) const {
  if (!known_rank_) return {};
  const int64_t n = rank();
  if (begin < 0) begin += n;
  if (end < 0) end += n;
  begin = std::min(std::max<int64_t>(begin, 0), n);
  end = std::min(std::max(end, begin), n);
  return PartialShape(Dims(dims_.begin() + begin, dims_.begin() + end));
}

PartialShape PartialShape::concatenate(const PartialShape& tail) const {
  if (!known_rank_ || !tail.known_rank_) return {};
  PartialShape joined = *this;
  for (int64_t d : tail.dims_) joined.dims_.push_back(d);
  return joined;
}

bool PartialShape::compatible_with(const PartialShape& other) const {
  if (!known_rank_ || !other.known_rank_) return true;
  if (rank() != other.rank()) return false;
  for (int i = 0; i < rank(); ++i) {
    if (dims_[i] >= 0 && other.dims_[i] >= 0 && dims_[i] != other.dims_[i]) return false;
  }
  return true;
}

Result<PartialShape> PartialShape::merge(const PartialShape& other) const {
  if (!known_rank_) return other;
  if (!other.known_rank_) return *this;
  if (rank() != other.rank()) {
    return invalid_argument("Shapes must be equal rank, but are ", rank(), " and ", other.rank());
  }
  PartialShape merged = *this;
  for (int i = 0; i < rank(); ++i) {
    auto dim = merge_dims(dims_[i], other.dims_[i]);
    if (!dim.ok()) {
      return invalid_argument("Dimension ", i, " in both shapes must be equal, but are ", dims_[i], " and ",
                              other.dims_[i], ". Shapes are ", to_string(), " and ", other.to_string(), ".");
    }
    merged.dims_[i] = dim.value();
  }
  return merged;
}

PartialShape PartialShape::common_with(const PartialShape& other) const {
  if (rank() != other.rank()) return {};
  PartialShape common = *this;
  for (int i = 0; i < rank(); ++i) {
    if (dims_[i] != other.dims_[i]) common.dims_[i] = kUnknownDim;
  }
  return common;
}

std::string PartialShape::to_string() const {
  if (!known_rank_) return "<unknown>";
  return str_cat("[", str_join(dims_, ",", [](int64_t d) { return d < 0 ? std::string("?") : str_cat(d); }), "]");
}

Result<int64_t> merge_dims(int64_t a, int64_t b) {
  if (a < 0) return b;
  if (b < 0 || a == b) return a;
  return invalid_argument("Dimensions must be equal, but are ", a, " and ", b);
}

}  // namespace tinytf

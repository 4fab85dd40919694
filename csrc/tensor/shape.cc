#include "tensor/shape.h"

namespace tinytf {

Status Shape::check() const {
  if (rank() > kMaxRank) return invalid_argument("Too many dimensions");
  for (const int64_t d : dims_) {
    if (d == Size::kNoSize) {
      return invalid_argument("Dimension ", d,
                              " must be >= 0 (this number also stands for a size that would be more than 2**63 - 1)");
    }
    if (d < 0) return invalid_argument("Dimension ", d, " must be >= 0");
  }
  if (num_elements() >= 0) return Status();
  return invalid_argument("Shape ", to_string(), " would have more than 2**63 - 1 elements");
}

Result<Shape> Shape::checked(Dims dims) {
  Shape shape(std::move(dims));
  TINYTF_RETURN_IF_ERROR(shape.check());
  return shape;
}

int64_t Shape::product(int begin, int end) const {
  Size n = 1;
  bool empty = false;
  for (int i = begin; i < end; ++i) {
    const int64_t d = dim(i);
    if (d < 0) return Size::kNoSize;
    if (d > 0) n *= d;
    empty |= d == 0;
  }
  return n.ok() && empty ? 0 : n.value();
}

int64_t Shape::extent() const {
  Size n = 1;
  for (const int64_t d : dims_) n *= d == 0 ? 1 : d < 0 ? Size::kNoSize : d;
  return n.value();
}

std::string Shape::to_string() const {
  return str_cat("[", str_join(dims_, ",", [](int64_t d) { return str_cat(d); }), "]");
}

}  // namespace tinytf

#include "tensor/shape.h"

#include <limits>

namespace tinytf {

Result<Shape> Shape::checked(const Dims& dims) {
  int64_t elements = 1;
  for (int64_t d : dims) {
    if (d < 0) return invalid_argument("Dimension ", d, " must be >= 0");
    if (d != 0 && elements > std::numeric_limits<int64_t>::max() / d) {
      return invalid_argument("Shape ", Shape(dims).to_string(), " has too many elements");
    }
    elements *= d;
  }
  return Shape(dims);
}

int64_t Shape::product(int begin, int end) const {
  int64_t n = 1;
  for (int i = begin; i < end; ++i) n *= dims_[i];
  return n;
}

std::string Shape::to_string() const {
  return str_cat("[", str_join(dims_, ",", [](int64_t d) { return str_cat(d); }), "]");
}

}  // namespace tinytf

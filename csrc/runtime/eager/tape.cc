#include "runtime/eager/tape.h"

namespace tinytf {

bool is_trainable(DType dtype) {
  switch (dtype) {
    case DType::kHalf:
    case DType::kBfloat16:
    case DType::kFloat:
    case DType::kDouble:
    case DType::kComplex64:
    case DType::kComplex128:
    case DType::kResource:
    case DType::kVariant: return true;
    default: return false;
  }
}

}  // namespace tinytf

#pragma once

#include <vector>

#include "base/dtype.h"

/// Lists of types for `KernelRegistry::Builder::where`.
namespace tinytf::ops {

/// Integers, floating-point and complex types.
inline std::vector<DType> number_types() {
  return {DType::kFloat,  DType::kDouble, DType::kHalf,   DType::kBfloat16,  DType::kInt8,      DType::kInt16, DType::kInt32,
          DType::kInt64,  DType::kUint8,  DType::kUint16, DType::kUint32,    DType::kUint64,    DType::kComplex64,
          DType::kComplex128};
}

}  // namespace tinytf::ops

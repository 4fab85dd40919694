#pragma once

#include <vector>

#include "base/dtype.h"

/// Lists of types for `KernelRegistry::Builder::where`.
namespace tinytf::ops {

/// Integers, floating-point and complex types.
inline std::vector<DType> number_types() {
  return {DType::kFloat,  DType::kDouble, DType::kHalf,      DType::kBfloat16,  DType::kInt8,
          DType::kInt16,  DType::kInt32,  DType::kInt64,     DType::kUint8,     DType::kUint16,
          DType::kUint32, DType::kUint64, DType::kComplex64, DType::kComplex128};
}

/// Numbers and bool: what lies in memory as plain bytes.
inline std::vector<DType> plain_types() {
  auto types = number_types();
  types.push_back(DType::kBool);
  return types;
}

/// Integers and floating-point types.
inline std::vector<DType> real_types() {
  auto types = number_types();
  types.resize(types.size() - 2);
  return types;
}

}  // namespace tinytf::ops

#pragma once

#include <initializer_list>
#include <vector>

#include "base/dtype.h"

/// Groups of dtypes for `KernelRegistry::Builder::where`.
namespace tinytf::ops {

using Types = std::initializer_list<DType>;

inline constexpr Types kFloatDouble = {DType::kFloat, DType::kDouble};
inline constexpr Types kFloats = {DType::kHalf, DType::kFloat, DType::kDouble};
inline constexpr Types kAllFloats = {DType::kHalf, DType::kBfloat16, DType::kFloat, DType::kDouble};
inline constexpr Types kBfloat16 = {DType::kBfloat16};
inline constexpr Types kComplexes = {DType::kComplex64, DType::kComplex128};
inline constexpr Types kInts32And64 = {DType::kInt32, DType::kInt64};
inline constexpr Types kUnsigned8And16 = {DType::kUint8, DType::kUint16};
inline constexpr Types kSigned8And16 = {DType::kInt8, DType::kInt16};
inline constexpr Types kBool = {DType::kBool};
/// The eight integer types of bit operations.
inline constexpr Types kAllInts = {DType::kInt8,  DType::kInt16,  DType::kInt32,  DType::kInt64,
                                   DType::kUint8, DType::kUint16, DType::kUint32, DType::kUint64};
/// kReals is TensorFlow's TF_CALL_REAL_NUMBER_TYPES, the dtypes that a general op supports on CPUs; kNumbers adds
/// complex numbers.
inline constexpr Types kReals = {DType::kHalf,  DType::kBfloat16, DType::kFloat, DType::kDouble, DType::kInt8,
                                 DType::kInt16, DType::kInt32,    DType::kInt64, DType::kUint8,  DType::kUint16};
inline constexpr Types kNumbers = {DType::kHalf,  DType::kBfloat16, DType::kFloat,     DType::kDouble,
                                   DType::kInt8,  DType::kInt16,    DType::kInt32,     DType::kInt64,
                                   DType::kUint8, DType::kUint16,   DType::kComplex64, DType::kComplex128};
/// For ops that only move elements: kAllReals and kAllNumbers add the wider unsigned types, kPlain also bool.
inline constexpr Types kAllReals = {DType::kHalf,  DType::kBfloat16, DType::kFloat,  DType::kDouble,
                                    DType::kInt8,  DType::kInt16,    DType::kInt32,  DType::kInt64,
                                    DType::kUint8, DType::kUint16,   DType::kUint32, DType::kUint64};
inline constexpr Types kAllNumbers = {DType::kHalf,      DType::kBfloat16,  DType::kFloat,  DType::kDouble,
                                      DType::kInt8,      DType::kInt16,     DType::kInt32,  DType::kInt64,
                                      DType::kUint8,     DType::kUint16,    DType::kUint32, DType::kUint64,
                                      DType::kComplex64, DType::kComplex128};
inline constexpr Types kPlain = {DType::kHalf,      DType::kBfloat16,   DType::kFloat,  DType::kDouble,
                                 DType::kInt8,      DType::kInt16,      DType::kInt32,  DType::kInt64,
                                 DType::kUint8,     DType::kUint16,     DType::kUint32, DType::kUint64,
                                 DType::kComplex64, DType::kComplex128, DType::kBool};

/// Allowed dtypes of attr T in op declarations.
inline constexpr const char* kFloatText = "{bfloat16, half, float, double}";
inline constexpr const char* kFloatComplexText = "{bfloat16, half, float, double, complex64, complex128}";
inline constexpr const char* kSignedText = "{bfloat16, half, float, double, int32, int64, complex64, complex128}";
inline constexpr const char* kArithmeticText =
    "{bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, complex64, complex128}";
inline constexpr const char* kNoBfloat16Text = "{half, float, double, complex64, complex128}";

/// The union of some groups.
inline std::vector<DType> any_of(std::initializer_list<Types> groups) {
  std::vector<DType> all;
  for (const Types& group : groups) all.insert(all.end(), group);
  return all;
}

}  // namespace tinytf::ops

#include "python/dlpack.h"

namespace tinytf::python {

namespace {

/// DLPack's type codes; the number of bits distinguishes the types of one code.
enum : uint8_t {
  kInt = 0,
  kUInt = 1,
  kFloat = 2,
  kBfloat = 4,
  kComplex = 5,
  kBool = 6,
  kNone = 255,
};

/// Codes of float8_e5m2 and the dtypes after it.
constexpr uint8_t kFloat8Codes[] = {12, 10, 11, 9, 13};

uint8_t code_of(DType dtype) {
  if (is_float8(dtype)) return kFloat8Codes[static_cast<int>(dtype) - static_cast<int>(kFloat8E5m2)];
  switch (dtype) {
    case DType::kFloat:
    case DType::kDouble:
    case DType::kHalf: return kFloat;
    case DType::kBfloat16: return kBfloat;
    case DType::kInt8:
    case DType::kInt16:
    case DType::kInt32:
    case DType::kInt64: return kInt;
    case DType::kUint8:
    case DType::kUint16:
    case DType::kUint32:
    case DType::kUint64: return kUInt;
    case DType::kComplex64:
    case DType::kComplex128: return kComplex;
    case DType::kBool: return kBool;
    default: return kNone;
  }
}

}  // namespace

bool dlpack_type(DType dtype, DLDataType* type) {
  *type = {code_of(dtype), static_cast<uint8_t>(8 * dtype_size(dtype)), 1};
  return type->code != kNone;
}

DType dtype_of_dlpack(DLDataType type) {
  for (int number = 1; type.lanes == 1 && number < kStoredDTypeCount; ++number) {
    const auto dtype = static_cast<DType>(number);
    DLDataType own;
    if (dlpack_type(dtype, &own) && own.code == type.code && own.bits == type.bits) return dtype;
  }
  return DType::kInvalid;
}

}  // namespace tinytf::python

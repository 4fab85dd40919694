#include "base/dtype.h"

namespace tinytf {

namespace {

constexpr std::string_view kFloat8Names[] = {"float8_e5m2", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz",
                                             "float8_e5m2fnuz"};

}  // namespace

std::string_view dtype_name(DType dtype) {
  if (is_float8(dtype)) return kFloat8Names[static_cast<int>(dtype) - static_cast<int>(kFloat8E5m2)];
  switch (dtype) {
#define TINYTF_X(constant, number, name, type) \
  case DType::constant: return name;
    TINYTF_NUMERIC_DTYPES(TINYTF_X)
#undef TINYTF_X
    case DType::kString: return "string";
    case DType::kQint8: return "qint8";
    case DType::kQuint8: return "quint8";
    case DType::kQint32: return "qint32";
    case DType::kQint16: return "qint16";
    case DType::kQuint16: return "quint16";
    case DType::kResource: return "resource";
    case DType::kVariant: return "variant";
    case DType::kInvalid: break;
  }
  return "invalid";
}

DType dtype_from_name(std::string_view name) {
  if (name == "float32") return DType::kFloat;
  if (name == "float64") return DType::kDouble;
  if (name == "float16") return DType::kHalf;
  for (int number = 1; number < kStoredDTypeCount; ++number) {
    const auto dtype = static_cast<DType>(number);
    if (dtype_name(dtype) == name) return dtype;
  }
  return DType::kInvalid;
}

size_t dtype_size(DType dtype) {
  switch (dtype) {
#define TINYTF_X(constant, number, name, type) \
  case DType::constant: return sizeof(type);
    TINYTF_NUMERIC_DTYPES(TINYTF_X)
#undef TINYTF_X
    case DType::kQint8:
    case DType::kQuint8: return 1;
    case DType::kQint16:
    case DType::kQuint16: return 2;
    case DType::kQint32: return 4;
    default: return is_float8(dtype) ? 1 : 0;
  }
}

bool is_floating(DType dtype) {
  return dtype == DType::kFloat || dtype == DType::kDouble || dtype == DType::kHalf || dtype == DType::kBfloat16;
}

bool is_complex(DType dtype) { return dtype == DType::kComplex64 || dtype == DType::kComplex128; }

bool is_integer(DType dtype) {
  switch (dtype) {
    case DType::kInt8:
    case DType::kInt16:
    case DType::kInt32:
    case DType::kInt64:
    case DType::kUint8:
    case DType::kUint16:
    case DType::kUint32:
    case DType::kUint64: return true;
    default: return false;
  }
}

DType storage_type(DType dtype) {
  switch (dtype) {
    case DType::kQint8: return DType::kInt8;
    case DType::kQuint8: return DType::kUint8;
    case DType::kQint16: return DType::kInt16;
    case DType::kQuint16: return DType::kUint16;
    case DType::kQint32: return DType::kInt32;
    default: return dtype;
  }
}

}  // namespace tinytf

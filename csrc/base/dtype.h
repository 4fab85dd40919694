#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/half.h"

// The numeric and bool element types: X(constant, TensorFlow's number, TensorFlow's name, C++ type). They are declared
// in base rather than in tensor because kernels index their tables by dtype and include nothing but base.
#define TINYTF_NUMERIC_DTYPES(X)                         \
  X(kFloat, 1, "float", float)                           \
  X(kDouble, 2, "double", double)                        \
  X(kInt32, 3, "int32", int32_t)                         \
  X(kUint8, 4, "uint8", uint8_t)                         \
  X(kInt16, 5, "int16", int16_t)                         \
  X(kInt8, 6, "int8", int8_t)                            \
  X(kComplex64, 8, "complex64", std::complex<float>)     \
  X(kInt64, 9, "int64", int64_t)                         \
  X(kBool, 10, "bool", bool)                             \
  X(kBfloat16, 14, "bfloat16", BFloat16)                 \
  X(kUint16, 17, "uint16", uint16_t)                     \
  X(kComplex128, 18, "complex128", std::complex<double>) \
  X(kHalf, 19, "half", Half)                             \
  X(kUint32, 22, "uint32", uint32_t)                     \
  X(kUint64, 23, "uint64", uint64_t)

namespace tinytf {

/// Element type of a tensor, with the numbers of TensorFlow's DataType.
enum class DType : uint8_t {
  kInvalid = 0,
#define TINYTF_X(constant, number, name, type) constant = number,
  TINYTF_NUMERIC_DTYPES(TINYTF_X)
#undef TINYTF_X
      kString = 7,
  kQint8 = 11,  // quantized types: stored and cast, never computed with
  kQuint8 = 12,
  kQint32 = 13,
  kQint16 = 15,
  kQuint16 = 16,
  kResource = 20,
  kVariant = 21,
};

inline constexpr int kDTypeCount = 24;

// Dtypes that can be stored, moved and cast, but not computed with: float8 here, the quantized ones in DType. The
// float8 numbers are TensorFlow 2's and lie beyond kDTypeCount, the size of kernel tables.
inline constexpr DType kFloat8E5m2 = static_cast<DType>(24);
inline constexpr DType kFloat8E4m3fn = static_cast<DType>(25);
inline constexpr DType kFloat8E4m3fnuz = static_cast<DType>(26);
inline constexpr DType kFloat8E4m3b11fnuz = static_cast<DType>(27);
inline constexpr DType kFloat8E5m2fnuz = static_cast<DType>(28);
inline constexpr int kStoredDTypeCount = 29;

/// Offset from the number of a value dtype to its reference dtype (float_ref is 101). Reference dtypes occur in
/// GraphDefs only.
inline constexpr int kRefOffset = 100;

/// Returns TensorFlow's name of the dtype ("float", "int32", "half", …), or "invalid" for an unknown number.
std::string_view dtype_name(DType dtype);
/// Returns the dtype with that name, which may be "float32", "float64" or "float16" too, or kInvalid if there is none.
DType dtype_from_name(std::string_view name);
/// Bytes per element of a numeric or bool dtype; 0 for string, resource and variant.
size_t dtype_size(DType dtype);
/// Whether elements are C++ objects with constructors and destructors.
inline bool is_object(DType dtype) {
  return dtype == DType::kString || dtype == DType::kResource || dtype == DType::kVariant;
}

bool is_floating(DType dtype);  // half, bfloat16, float, double
bool is_complex(DType dtype);
bool is_integer(DType dtype);  // not bool
inline bool is_float8(DType dtype) { return dtype >= kFloat8E5m2 && dtype <= kFloat8E5m2fnuz; }
/// Returns the dtype with the same memory representation: int8 for qint8, …; `dtype` itself if it is not quantized.
DType storage_type(DType dtype);

template <class T>
struct DTypeOf;
#define TINYTF_X(constant, number, name, type)      \
  template <>                                       \
  struct DTypeOf<type> {                            \
    static constexpr DType value = DType::constant; \
  };
TINYTF_NUMERIC_DTYPES(TINYTF_X)
#undef TINYTF_X

template <class T>
inline constexpr DType dtype_of = DTypeOf<T>::value;

}  // namespace tinytf

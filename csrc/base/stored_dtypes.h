#pragma once

#include "base/dtype.h"

namespace tinytf {

// Dtypes that can be stored, moved and cast, but not computed with: float8 here, the quantized ones in DType. The
// float8 numbers are TensorFlow 2's and lie beyond kDTypeCount, the size of kernel tables.
inline constexpr DType kFloat8E5m2 = static_cast<DType>(24);
inline constexpr DType kFloat8E4m3fn = static_cast<DType>(25);
inline constexpr DType kFloat8E4m3fnuz = static_cast<DType>(26);
inline constexpr DType kFloat8E4m3b11fnuz = static_cast<DType>(27);
inline constexpr DType kFloat8E5m2fnuz = static_cast<DType>(28);

inline constexpr int kStoredDTypeCount = 29;

inline bool is_float8(DType dtype) { return dtype >= kFloat8E5m2 && dtype <= kFloat8E5m2fnuz; }
/// Returns the dtype with the same memory representation: int8 for qint8, …; `dtype` itself if it is not quantized.
DType storage_type(DType dtype);

}  // namespace tinytf

#pragma once

#include "base/dtype.h"

namespace tinytf {

// Types that are stored, moved and cast, and that no kernel computes with: float8 here, the quantised ones in DType.
// Their numbers, TensorFlow 2's, lie beyond kDTypeCount, where tables of loops end.
inline constexpr DType kFloat8E5m2 = static_cast<DType>(24);
inline constexpr DType kFloat8E4m3fn = static_cast<DType>(25);
inline constexpr DType kFloat8E4m3fnuz = static_cast<DType>(26);
inline constexpr DType kFloat8E4m3b11fnuz = static_cast<DType>(27);
inline constexpr DType kFloat8E5m2fnuz = static_cast<DType>(28);

inline constexpr int kStoredDTypeCount = 29;

inline bool is_float8(DType dtype) { return dtype >= kFloat8E5m2 && dtype <= kFloat8E5m2fnuz; }
/// The type whose memory a type's elements are: int8 for qint8, …; itself for what is not quantised.
DType storage_type(DType dtype);

}  // namespace tinytf

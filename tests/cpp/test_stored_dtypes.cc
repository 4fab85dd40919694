#include "base/stored_dtypes.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(stored_dtypes_lie_in_memory_as_others) {
  EXPECT(storage_type(DType::kQint8) == DType::kInt8);
  EXPECT(storage_type(DType::kQuint8) == DType::kUint8);
  EXPECT(storage_type(DType::kQint16) == DType::kInt16);
  EXPECT(storage_type(DType::kQuint16) == DType::kUint16);
  EXPECT(storage_type(DType::kQint32) == DType::kInt32);
  for (const DType dtype : {DType::kFloat, DType::kString, DType::kInt8, kFloat8E5m2, kFloat8E5m2fnuz}) {
    EXPECT(storage_type(dtype) == dtype);
  }
}

TINYTF_TEST(stored_dtypes_of_eight_bits_lie_beyond_the_tables_of_loops) {
  for (int number = 0; number < kStoredDTypeCount; ++number) {
    EXPECT_EQ(is_float8(static_cast<DType>(number)), number >= static_cast<int>(kFloat8E5m2));
  }
  EXPECT(static_cast<int>(kFloat8E5m2) >= kDTypeCount);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

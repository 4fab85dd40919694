#include "services/float_mode.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

/// Half of a denormal number, computed in this thread's float mode.
float half_of_tiny() {
  volatile float tiny = 1e-39f;
  return tiny * 0.5f;
}

TINYTF_TEST(float_mode_nests_and_is_restored) {
  const bool has_mode = float_mode::kFlush != 0;
  EXPECT(half_of_tiny() > 0);
  {
    const FlushDenormals flush;
    EXPECT_EQ(half_of_tiny() == 0, has_mode);
    {
      const KeepDenormals keep;
      EXPECT(half_of_tiny() > 0);
    }
    EXPECT_EQ(half_of_tiny() == 0, has_mode);
  }
  EXPECT(half_of_tiny() > 0);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "base/crc32c_polynomial.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace crc32c_polynomial;

TINYTF_TEST(polynomials_are_multiplied_modulo_crc32cs) {
  EXPECT_EQ(product(kOne, 0x12345678), 0x12345678u);
  EXPECT_EQ(product(0x12345678, kOne), 0x12345678u);
  EXPECT_EQ(product(0x12345678, 0x9abcdef0), product(0x9abcdef0, 0x12345678));
  // x^31 times x is the remainder of x^32.
  EXPECT_EQ(product(1, kOne >> 1), kPolynomial);
}

TINYTF_TEST(zeros_multiply_by_powers_of_x) {
  EXPECT_EQ(factor_of_zero_bits(0), kOne);
  EXPECT_EQ(factor_of_zero_bits(32), kPolynomial);
  EXPECT_EQ(factor_of_zeros(3), kOne >> 24);
  EXPECT_EQ(factor_of_zeros(1000), factor_of_zero_bits(8000));
  EXPECT_EQ(product(factor_of_zeros(1000), factor_of_zeros(24)), factor_of_zeros(1024));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "ops/parsing/shared/json_base64.h"

#include "tests/cpp/harness.h"

namespace tinytf::ops {
namespace TINYTF_FILE {

std::string decoded(std::string_view text) {
  std::string bytes;
  return bytes_of_base64(text, bytes) ? bytes : "wrong";
}

TINYTF_TEST(json_base64_is_of_either_alphabet_with_all_padding_or_none) {
  EXPECT_EQ(decoded(""), "");
  EXPECT_EQ(decoded("aGVsbG8="), "hello");
  EXPECT_EQ(decoded("aGVsbG8"), "hello");
  EXPECT_EQ(decoded("YQ=="), "a");
  EXPECT_EQ(decoded("+/+/"), "\xfb\xff\xbf");
  EXPECT_EQ(decoded("-_-_"), "\xfb\xff\xbf");
  for (const std::string_view text : {"=", "YQ=", "YQ===", "YR", "+-AA", "A", "AA=A", " YQ==", "====", "AA.."}) {
    EXPECT_EQ(decoded(text), "wrong");
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf::ops

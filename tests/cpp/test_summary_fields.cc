#include "io/summary_fields.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using std::string_literals::operator""s;

const std::string kPlain = "\x0A\x03\x0A\x01t"s;
const std::string kDescribed = "\x0A\x09\x0A\x01t\x4A\x04\x12\x02no"s;

std::string told_once(std::string_view summary, std::unordered_set<std::string>* tags) {
  std::string out = "before";
  return write_told_once(summary, tags, &out) ? out.substr(6) : "damaged";
}

TINYTF_TEST(metadata_of_a_tag_are_written_with_its_first_value) {
  std::unordered_set<std::string> tags;
  EXPECT_EQ(told_once(kDescribed + kDescribed, &tags), kDescribed + kPlain);
  EXPECT_EQ(told_once(kDescribed, &tags), kPlain);
  tags.clear();
  EXPECT_EQ(told_once(kPlain + kDescribed, &tags), kPlain + kPlain);
}

TINYTF_TEST(fields_that_no_summary_has_are_kept) {
  std::unordered_set<std::string> tags;
  const std::string unknown = "\x18\x05"s;
  EXPECT_EQ(told_once(unknown + kDescribed + unknown, &tags), unknown + kDescribed + unknown);
}

TINYTF_TEST(damaged_summaries_are_seen) {
  for (size_t cut = 0; cut <= kDescribed.size(); ++cut) {
    std::unordered_set<std::string> tags;
    const std::string part = kDescribed.substr(0, cut);
    EXPECT_EQ(told_once(part, &tags), cut == 0 || cut == kDescribed.size() ? part : "damaged");
  }
  std::unordered_set<std::string> tags;
  EXPECT_EQ(told_once("\x0A\x03\x0A\x01\xFF"s, &tags), "damaged");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

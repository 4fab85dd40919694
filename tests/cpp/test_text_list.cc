#include "io/text_list.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(text_lists_are_lengths_and_bytes) {
  const std::vector<std::string_view> texts{"", "bc", std::string_view("\0", 1)};
  const std::string list = text_list(texts);
  EXPECT(list == std::string("\0\2\1bc\0", 6));
  EXPECT(read_text_list(list, 3).take() == texts);
  EXPECT(read_text_list(list + "more", 3).take() == texts);
  EXPECT(text_list({}).empty());
  EXPECT(read_text_list("", 0).take().empty());
}

TINYTF_TEST(text_lists_that_are_cut) {
  const std::string list = text_list({std::string(200, 'a'), "b"});
  for (size_t size = 0; size < list.size(); ++size) {
    EXPECT_EQ(read_text_list(std::string_view(list).substr(0, size), 2).status().code(), Code::kInvalidArgument);
  }
  EXPECT(!read_text_list(list, INT64_MAX).ok());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "ops/data/shared/handle_text.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using ops::handle_of_text;
using ops::text_of_handle;

TINYTF_TEST(handles_as_texts) {
  const std::string text = text_of_handle({"box", std::string("na\0me", 5), "Kind", nullptr}, "/cpu:0");
  EXPECT_EQ(text, std::string("\x0a\x06/cpu:0\x12\x03"
                              "box\x1a\x05na\0me\x2a\x04Kind",
                              26));
  const auto handle = handle_of_text(text, "Kind");
  EXPECT_EQ(handle.value().container, "box");
  EXPECT_EQ(handle.value().name, std::string("na\0me", 5));
  EXPECT(!handle.value().resource);
}

TINYTF_TEST(texts_that_are_no_handles) {
  const std::string text = text_of_handle({"box", "name", "Kind", nullptr}, "");
  EXPECT_EQ(handle_of_text(text, "Other").status().message(),
            "Could not parse string_handle as a valid ResourceHandle");
  for (const std::string& damaged : {std::string(), std::string("no handle"), text.substr(0, text.size() - 1)}) {
    EXPECT_EQ(handle_of_text(damaged, "Kind").status().code(), Code::kInvalidArgument);
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

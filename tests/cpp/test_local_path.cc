#include "io/local_path.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(names_of_files_lose_their_scheme) {
  EXPECT_EQ(local_path("a/b").value(), "a/b");
  EXPECT_EQ(local_path("file:///a/b").value(), "/a/b");
  EXPECT_EQ(local_path("file://host/a").value(), "/a");
  EXPECT_EQ(local_path("a b://c").value(), "a b://c");
  EXPECT_EQ(local_path("://c").value(), "://c");
  EXPECT_EQ(local_path("").value(), "");
  EXPECT_EQ(local_path("gs://a/b").status().to_string(),
            "Unimplemented: File system scheme 'gs' not implemented (file: 'gs://a/b')");
  EXPECT_EQ(local_path(std::string("a\0", 2)).status().code(), Code::kInvalidArgument);
}

TINYTF_TEST(names_of_files_have_a_folder_and_a_base) {
  EXPECT_EQ(folder_of("a/b/c"), "a/b");
  EXPECT_EQ(folder_of("/a"), "/");
  EXPECT_EQ(folder_of("a"), "");
  EXPECT_EQ(folder_of("a/"), "a");
  EXPECT_EQ(folder_of("file:///a"), "file:///");
  EXPECT_EQ(folder_of("file:///a/b"), "file:///a");
  EXPECT_EQ(base_name_of("a/b"), "b");
  EXPECT_EQ(base_name_of("b"), "b");
  EXPECT_EQ(base_name_of("a/"), "");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "io/file_error.h"

#include <cerrno>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(file_errors_have_tensorflows_codes_and_texts) {
  EXPECT_EQ(file_error("a/b", ENOENT).to_string(), "Not found: a/b; No such file or directory");
  EXPECT_EQ(file_error("a", EISDIR).to_string(), "Failed precondition: a; Is a directory");
  EXPECT_EQ(file_error("a", ENOTDIR).to_string(), "Failed precondition: a; Not a directory");
  EXPECT_EQ(file_error("a", ENOSPC).to_string(), "Resource exhausted: a; No space left on device");
  EXPECT_EQ(file_error("a", ENAMETOOLONG).code(), Code::kInvalidArgument);
  EXPECT_EQ(file_error("a", EACCES).code(), Code::kPermissionDenied);
  EXPECT_EQ(file_error("a", EEXIST).code(), Code::kAlreadyExists);
  EXPECT_EQ(file_error("a", EXDEV).code(), Code::kUnimplemented);
  EXPECT_EQ(file_error("a", EIO).code(), Code::kUnknown);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

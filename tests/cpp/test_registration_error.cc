#include "op/registration_error.h"

#include "services/platform.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(registration_error_names_ops_and_the_machine) {
  const Status status = not_registered("'A', 'B'", " More.");
  EXPECT_EQ(status.code(), Code::kNotFound);
  EXPECT_EQ(status.message(), str_cat("Op type not registered 'A', 'B' in binary running on ", host_name(),
                                      ". Make sure the Op and Kernel are registered in the binary running in this "
                                      "process. More."));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "op/iterations.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(iterations_are_told_from_the_inside_out) {
  const std::string outer = "a/while_context", inner = "b/while_context";
  EXPECT_EQ(Iterations().to_string(), "");
  EXPECT_EQ((Iterations{{{&outer, 3}, {&inner, 0}}}.to_string()),
            "in iteration 0 of b/while_context, in iteration 3 of a/while_context");
}

TINYTF_TEST(iterations_are_added_to_errors) {
  const std::string frame = "l";
  const Iterations iterations{{{&frame, 7}}};
  const Status error = in_iterations(invalid_argument("no"), iterations);
  EXPECT_EQ(error.message(), "no\n\t in iteration 7 of l");
  EXPECT_EQ(error.code(), Code::kInvalidArgument);
  EXPECT_EQ(in_iterations(invalid_argument("no"), {}).message(), "no");
  EXPECT_OK(in_iterations(Status(), iterations));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "base/status.h"

#include "tests/cpp/death.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(status_success_is_one_pointer_and_silent) {
  const Status status;
  EXPECT(status.ok());
  EXPECT_EQ(status.code(), Code::kOk);
  EXPECT_EQ(status.to_string(), "OK");
  EXPECT_OK(status);
}

TINYTF_TEST(status_carries_code_and_message) {
  const Status status = invalid_argument("a is ", 3, ", b is ", 2.5);
  EXPECT(!status.ok());
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_EQ(status.message(), "a is 3, b is 2.5");
  EXPECT_EQ(status.to_string(), "Invalid argument: a is 3, b is 2.5");
}

TINYTF_TEST(status_names_its_node_as_tensorflow_does) {
  EXPECT_EQ(invalid_argument("bad").at_node("dense/MatMul").message(), "bad\n\t [[{{node dense/MatMul}}]]");
}

TINYTF_TEST(status_keeps_what_the_error_was_before) {
  struct Origin final : ErrorOrigin {};
  EXPECT(invalid_argument("bad").origin() == nullptr);
  EXPECT(Status().origin() == nullptr);
  const auto origin = std::make_shared<Origin>();
  const Status status(Code::kUnknown, "bad", origin);
  EXPECT(status.origin() == origin.get());
  EXPECT(status.at_node("n").origin() == origin.get());
  EXPECT_EQ(status.at_node("n").message(), "bad\n\t [[{{node n}}]]");
}

Status fails_in_the_middle(bool fail, int& reached) {
  TINYTF_RETURN_IF_ERROR(fail ? not_found("x") : Status());
  ++reached;
  return Status();
}

TINYTF_TEST(return_if_error_leaves_the_function) {
  int reached = 0;
  EXPECT_EQ(fails_in_the_middle(true, reached).code(), Code::kNotFound);
  EXPECT_EQ(reached, 0);
  EXPECT_OK(fails_in_the_middle(false, reached));
  EXPECT_EQ(reached, 1);
}

Status doubled(Result<int> input, int& output) {
  TINYTF_ASSIGN_OR_RETURN(const int value, std::move(input));
  output = 2 * value;
  return Status();
}

TINYTF_TEST(result_is_a_value_or_its_status) {
  int output = 0;
  EXPECT_OK(doubled(21, output));
  EXPECT_EQ(output, 42);
  EXPECT_EQ(doubled(internal_error("no value"), output).message(), "no value");
}

TINYTF_TEST(what_is_not_in_a_result_is_not_read) {
  EXPECT(testing::aborts([] { Result<int>(internal_error("no value")).value(); }));
  EXPECT(testing::aborts([] { Result<int>(internal_error("no value")).take(); }));
  EXPECT(testing::aborts([] {
    const Result<std::string> result(internal_error("no value"));
    result.value();
  }));
  EXPECT(testing::aborts([] { Result<int> no_error{Status()}; }));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

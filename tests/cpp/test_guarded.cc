#include "op/guarded.h"

#include <new>
#include <stdexcept>

#include "services/thread_pool.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

template <class Error>
Status thrown(const Error& error) {
  return guarded([&]() -> Status { throw error; });
}

TINYTF_TEST(guarded_passes_on_what_is_returned) {
  EXPECT(guarded([] { return Status(); }).ok());
  EXPECT_EQ(guarded([] { return not_found("it"); }).message(), "it");
}

TINYTF_TEST(guarded_makes_errors_of_exceptions) {
  EXPECT_EQ(thrown(std::bad_alloc()).code(), Code::kResourceExhausted);
  EXPECT_EQ(thrown(std::length_error("much")).code(), Code::kResourceExhausted);
  EXPECT_EQ(thrown(LoopCut()).code(), Code::kCancelled);
  const Status other = thrown(std::runtime_error("what it was"));
  EXPECT_EQ(other.code(), Code::kInternal);
  EXPECT(other.message().find("what it was") != std::string::npos);
}

TINYTF_TEST(guarded_tags_errors_with_nodes) {
  EXPECT_EQ(tagged(not_found("it"), "n").message(), not_found("it").at_node("n").message());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "runtime/eager/eager_host.h"

#include "tests/cpp/eager_session_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace {

TINYTF_TEST(eager_host_returns_what_the_work_does) {
  testing::TestHost host;
  EagerHost& any = host;
  EXPECT_OK(any.without_lock([](Interrupt*) { return Status(); }));
  EXPECT_EQ(any.without_lock([](Interrupt*) { return internal_error("bad"); }).message(), "bad");
  EXPECT_EQ(host.unlocked, 2);
}

}  // namespace
}  // namespace tinytf

#include "runtime/eager/eager_values.h"

#include "runtime/eager/eager_node.h"
#include "tests/cpp/eager_session_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::EagerFixture;
using testing::n_floats;

TINYTF_TEST(values_are_read_of_open_sessions) {
  EagerFixture session;
  TensorHandle* x = session.value(n_floats(2, 5.0f));
  EXPECT_EQ(read_value(*x, nullptr, session.host).value().data<float>()[1], 5.0f);
  EXPECT_OK(session.core().close());
  EXPECT_EQ(read_value(*x, nullptr, session.host).status().code(), Code::kCancelled);
  session.drop(x);
}

TINYTF_TEST(values_that_failed_to_come_are_errors) {
  EagerFixture session;
  auto pending = make_ref<AsyncValue>();
  TensorHandle* x = session.core().make_handle(DType::kFloat, pending);
  pending->fail(internal_error("lost"));
  EXPECT_EQ(read_value(*x, nullptr, session.host).status().message(), "lost");
  session.drop(x);
}

class AtOnce final : public Interrupt {
 public:
  bool interrupted() override { return true; }
};

TINYTF_TEST(waiting_for_a_value_is_interrupted) {
  EagerFixture session;
  auto pending = make_ref<AsyncValue>();
  TensorHandle* x = session.core().make_handle(DType::kFloat, pending);
  AtOnce interrupt;
  session.host.interrupt = &interrupt;
  EXPECT_EQ(read_value(*x, nullptr, session.host).status().message(), "Waiting for a value was interrupted");
  EXPECT_EQ(session.host.unlocked, 1);
  pending->fail(internal_error("lost"));
  session.drop(x);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

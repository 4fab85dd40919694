#include "handles/async_value.h"

#include <string>
#include <thread>

#include "tests/cpp/core_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

TINYTF_TEST(async_value_comes_once) {
  const auto value = make_ref<AsyncValue>();
  EXPECT(!value->done());
  EXPECT(!value->wait_for(std::chrono::milliseconds(1)));
  std::thread setter([&] { value->set(n_floats(3, 1.5f)); });
  EXPECT_OK(value->wait());
  EXPECT(value->done() && value->wait_for(std::chrono::milliseconds(0)));
  EXPECT_EQ(value->value().data<float>()[2], 1.5f);
  setter.join();
}

TINYTF_TEST(async_value_may_be_an_error) {
  const auto value = make_ref<AsyncValue>();
  value->fail(invalid_argument("no such thing"));
  EXPECT_EQ(value->wait().message(), std::string("no such thing"));
  EXPECT(!value->value().valid());
}

TINYTF_TEST(async_value_is_charged_when_it_comes) {
  for (const CleanupStrategy strategy : kAllStrategies) {
    const OpenCore core(strategy);
    const auto value = make_ref<AsyncValue>();
    TensorHandle* handle = core->make_handle(DType::kFloat, value);
    EXPECT_EQ(handle->dtype(), DType::kFloat);
    EXPECT(!handle->ready());
    EXPECT_EQ(core->stats().live_bytes, 0);
    value->set(n_floats(6));
    EXPECT(handle->ready());
    EXPECT_EQ(handle->tensor().num_elements(), 6);
    EXPECT_EQ(core->stats().live_bytes, 24);
    TensorHandle* late = core->make_handle(DType::kFloat, value);  // the value is already set
    EXPECT_EQ(core->stats().live_bytes, 48);
    core->drop(handle);
    core->drop(late);
    EXPECT_OK(core->reclaim().flush(-1));
    EXPECT_OK(core->close());
    EXPECT_EQ(core->stats().freed, 2);
    EXPECT_EQ(core->stats().live_bytes + core->stats().queued_bytes + core->stats().retained_bytes, 0);
  }
}

TINYTF_TEST(async_value_that_nobody_holds_any_more_is_not_charged) {
  for (const CleanupStrategy strategy : kAllStrategies) {
    const OpenCore core(strategy);
    const auto value = make_ref<AsyncValue>();
    core->drop(core->make_handle(DType::kFloat, value));
    value->set(n_floats(6));
    TensorHandle* closed = core->make_handle(DType::kFloat, make_ref<AsyncValue>());
    const RefPtr<AsyncValue> late = closed->pending();
    EXPECT(core->handles().close(closed));
    late->set(n_floats(6));
    EXPECT_EQ(core->stats().live_bytes + core->stats().queued_bytes + core->stats().retained_bytes, 0);
    core->drop(closed);
    EXPECT_OK(core->close());
    EXPECT_EQ(core->stats().freed, 2);
  }
}

TINYTF_TEST(async_value_is_wanted_while_somebody_may_look) {
  for (const CleanupStrategy strategy : kAllStrategies) {
    const OpenCore core(strategy);
    const auto value = make_ref<AsyncValue>();
    EXPECT(!value->wanted());
    TensorHandle* one = core->make_handle(DType::kFloat, value);
    TensorHandle* other = core->make_handle(DType::kFloat, value);
    TensorHandle* third = core->make_handle(DType::kFloat, value);
    core->drop(one);
    EXPECT(core->handles().close(other));
    EXPECT(value->wanted());
    value->want();
    EXPECT_OK(core->reset());
    EXPECT(value->wanted());
    value->unwant();
    EXPECT(!value->wanted());
    core->drop(other);
    core->drop(third);
    EXPECT(!value->wanted());
  }
}

TINYTF_TEST(async_value_error_leaves_the_handle_empty) {
  const OpenCore core(CleanupStrategy::kInBackground);
  const auto value = make_ref<AsyncValue>();
  TensorHandle* handle = core->make_handle(DType::kFloat, value);
  value->fail(internal_error("broken"));
  EXPECT_EQ(handle->wait().code(), Code::kInternal);
  EXPECT(!core->handles().detach(handle).valid());
  EXPECT(handle->live());
  core->drop(handle);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

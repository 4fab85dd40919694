#include "handles/session_core.h"

#include <string>
#include <vector>

#include "handles/testing/core_testing.h"
#include "tests/cpp/core_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;
using State = TensorHandle::State;

TINYTF_TEST(core_handle_holds_a_value) {
  for (const CleanupStrategy strategy : kAllStrategies) {
    const OpenCore core(strategy);
    TensorHandle* handle = core->make_handle(n_floats(6));
    EXPECT(handle->live() && handle->ready());
    EXPECT_OK(handle->wait());
    EXPECT_EQ(handle->dtype(), DType::kFloat);
    EXPECT_EQ(handle->tensor().num_elements(), 6);
    EXPECT_EQ(&handle->core(), core.get());
    EXPECT_EQ(core->stats().live, 1);
    EXPECT_EQ(core->stats().live_bytes, 24);
    core->drop(handle);
  }
}

TINYTF_TEST(core_in_background_frees_without_a_call) {
  const OpenCore core(CleanupStrategy::kInBackground);
  CoreTesting testing(*core);
  EXPECT(testing.has_reaper());
  core->drop(core->make_handle(n_floats(6)));
  core->drop(core->make_handle(n_floats(1 << 20)));
  testing.wait_idle();
  EXPECT_EQ(core->stats().freed, 2);
  EXPECT_EQ(core->stats().live_bytes + core->stats().queued_bytes, 0);
  EXPECT(core->stats().peak_bytes >= 4 << 20);
}

TINYTF_TEST(core_on_safe_points_frees_there_and_has_no_thread) {
  const OpenCore core(CleanupStrategy::kOnSafePoints);
  CoreTesting testing(*core);
  core->drop(core->make_handle(n_floats(6)));
  EXPECT_EQ(core->stats().queued, 1);
  EXPECT_EQ(core->stats().queued_bytes, 24);
  EXPECT_EQ(core->stats().live, 0);
  core->reclaim().safe_point();
  EXPECT_EQ(core->stats().queued, 0);
  EXPECT_EQ(core->stats().freed, 1);
  EXPECT_EQ(core->stats().drains, 1);
  core->reclaim().safe_point();  // nothing is queued, so that there is no drain
  EXPECT_EQ(core->stats().drains, 1);
  EXPECT(!testing.has_reaper());
}

TINYTF_TEST(core_on_session_close_frees_at_close_alone) {
  const OpenCore core(CleanupStrategy::kOnSessionClose);
  for (int i = 0; i < 10; ++i) core->drop(core->make_handle(n_floats(6)));
  core->reclaim().safe_point();
  core->reclaim().relieve();
  EXPECT_EQ(core->reclaim().collect(), 0);
  EXPECT_OK(core->reclaim().flush(-1));
  EXPECT_EQ(core->stats().retained, 10);
  EXPECT_EQ(core->stats().retained_bytes, 240);
  EXPECT_EQ(core->stats().live, 0);
  EXPECT_OK(core->close());
  EXPECT_EQ(core->stats().retained, 0);
  EXPECT_EQ(core->stats().freed, 10);
}

TINYTF_TEST(core_immediately_frees_in_place) {
  const OpenCore core(CleanupStrategy::kImmediately);
  core->drop(core->make_handle(n_floats(6)));
  EXPECT_EQ(core->stats().freed, 1);
  EXPECT_EQ(core->stats().live_bytes, 0);
}

TINYTF_TEST(core_outside_sessions_frees_in_place) {
  SessionCore& core = SessionCore::outside();
  const int64_t freed = core.stats().freed;
  core.drop(core.make_handle(n_floats(6)));
  EXPECT_EQ(core.stats().freed, freed + 1);
}

TINYTF_TEST(core_uses_the_memory_of_handles_again) {
  const OpenCore core(CleanupStrategy::kImmediately);
  TensorHandle* const first = core->make_handle(n_floats(1));
  core->drop(first);
  EXPECT_EQ(core->make_handle(n_floats(1)), first);
  core->drop(first);
}

TINYTF_TEST(core_close_invalidates_what_is_held) {
  for (const CleanupStrategy strategy : kAllStrategies) {
    const OpenCore core(strategy);
    const int64_t buffers = Allocator::live_buffers();
    TensorHandle* held = core->make_handle(n_floats(6));
    TensorHandle* closed = core->make_handle(n_floats(6));
    core->drop(core->make_handle(n_floats(6)));
    EXPECT(core->handles().close(closed));
    EXPECT(!core->handles().close(closed));
    EXPECT_EQ(closed->state(), State::kClosed);
    EXPECT_OK(core->close());
    EXPECT_EQ(core->life(), CoreStats::Life::kClosed);
    EXPECT_EQ(held->state(), State::kInvalidated);
    EXPECT_EQ(closed->state(), State::kClosed);
    EXPECT_EQ(Allocator::live_buffers(), buffers);
    const CoreStats stats = core->stats();
    EXPECT_EQ(stats.created, 3);
    EXPECT_EQ(stats.invalidated, 1);
    EXPECT_EQ(stats.freed, 2);
    EXPECT_EQ(stats.live + stats.queued + stats.retained, 0);
    EXPECT_EQ(stats.live_bytes + stats.queued_bytes + stats.retained_bytes + stats.pooled_bytes, 0);
    EXPECT(!core->handles().close(held));
    core->drop(held);
    core->drop(closed);
    EXPECT_EQ(core->stats().invalidated, 1);
    EXPECT_EQ(core->stats().freed, 2);
    EXPECT_OK(core->close());
  }
}

TINYTF_TEST(core_keeps_new_entries_out_once_it_is_closed) {
  const OpenCore core(CleanupStrategy::kInBackground);
  {
    const SessionCore::Entry entry(*core);
    EXPECT(entry);
    EXPECT_EQ(core->stats().active_ops, 1);
  }
  EXPECT_OK(core->close());
  const SessionCore::Entry entry(*core);
  EXPECT(!entry);
  EXPECT_EQ(core->stats().active_ops, 0);
}

TINYTF_TEST(core_detached_values_outlive_the_session) {
  const OpenCore core(CleanupStrategy::kInBackground);
  TensorHandle* handle = core->make_handle(n_floats(6, 2.5f));
  const Tensor value = core->handles().detach(handle);
  EXPECT(!core->handles().detach(handle).valid());
  EXPECT_EQ(core->stats().live_bytes, 0);
  core->drop(handle);
  EXPECT_OK(core->close());
  EXPECT_EQ(value.data<float>()[5], 2.5f);
}

TINYTF_TEST(core_counts_what_strings_hold) {
  const OpenCore core(CleanupStrategy::kImmediately);
  auto strings = Tensor::allocate(core->allocator(), DType::kString, Shape{2});
  TINYTF_CHECK(strings.ok());
  strings.value().data<std::string>()[1] = std::string(1000, 'x');
  TensorHandle* handle = core->make_handle(strings.take());
  const auto bytes = static_cast<int64_t>(2 * sizeof(std::string)) + 1001;
  EXPECT(core->stats().live_bytes >= bytes && core->stats().live_bytes < bytes + 100);
  core->drop(handle);
  EXPECT_EQ(core->stats().live_bytes, 0);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

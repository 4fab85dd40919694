#include "handles/reclaim.h"

#include <atomic>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "handles/testing/core_testing.h"
#include "tests/cpp/core_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

CoreOptions marks(CleanupStrategy strategy, int64_t soft_handles, int64_t hard_handles) {
  CoreOptions options;
  options.strategy = strategy;
  options.soft_handles = soft_handles;
  options.hard_handles = hard_handles;
  return options;
}

/// Makes and drops a value like an operation.
void make_and_drop(SessionCore& core, int64_t n = 6) {
  if (core.reclaim().pressed()) core.reclaim().relieve();
  core.reclaim().safe_point();
  core.drop(core.make_handle(n_floats(n)));
}

TINYTF_TEST(core_maker_frees_small_values_that_the_reaper_left) {
  const OpenCore core(CleanupStrategy::kInBackground);
  CoreTesting testing(*core);
  testing.pause_reaper();
  for (int i = 0; i < 1000; ++i) make_and_drop(*core);
  EXPECT(core->stats().queued <= 65);
  EXPECT_EQ(core->stats().backpressure_events, 0);
}

TINYTF_TEST(core_above_the_hard_mark_frees_down_to_the_soft_mark) {
  for (const CleanupStrategy strategy : {CleanupStrategy::kInBackground, CleanupStrategy::kOnSafePoints}) {
    const OpenCore core(marks(strategy, 4096, 8192));
    CoreTesting testing(*core);
    testing.pause_reaper();
    std::vector<TensorHandle*> handles;
    for (int i = 0; i < 10000; ++i) handles.push_back(core->make_handle(n_floats(1)));
    for (TensorHandle* handle : handles) core->drop(handle);
    EXPECT_EQ(core->stats().queued, 10000);
    EXPECT(core->reclaim().pressed());
    core->reclaim().relieve();
    EXPECT_EQ(core->stats().backpressure_events, 1);
    EXPECT(core->stats().queued <= 4096 && core->stats().queued > 4000);
    expect_balanced(*core);
  }
}

TINYTF_TEST(core_flush_frees_what_others_left_and_what_came_since) {
  const OpenCore core(marks(CleanupStrategy::kInBackground, 100, 1000));
  CoreTesting testing(*core);
  testing.pause_reaper();
  std::vector<TensorHandle*> handles;
  for (int i = 0; i < 1100; ++i) handles.push_back(core->make_handle(n_floats(1)));
  for (TensorHandle* handle : handles) core->drop(handle);
  core->reclaim().relieve();  // frees down to the soft mark; the others stay queued
  EXPECT(core->stats().queued > 0);
  core->drop(core->make_handle(n_floats(1)));
  EXPECT_OK(core->reclaim().flush(-1));
  EXPECT_EQ(core->stats().queued, 0);
}

TINYTF_TEST(core_bounds_the_bytes_that_wait) {
  CoreOptions options;
  options.soft_bytes = 1 << 20;
  options.hard_bytes = 2 << 20;
  const OpenCore core(options);
  CoreTesting testing(*core);
  testing.pause_reaper();
  for (int i = 0; i < 100; ++i) {
    make_and_drop(*core, 32 << 10);  // 128 KiB, which only the reaper may free
    EXPECT(core->stats().queued_bytes <= (2 << 20) + (128 << 10));
  }
  EXPECT(core->stats().backpressure_events > 0);
  EXPECT(core->stats().peak_queued_bytes <= (2 << 20) + (128 << 10));
}

TINYTF_TEST(core_reaper_frees_what_makers_may_not) {
  const OpenCore core(CleanupStrategy::kInBackground);
  CoreTesting testing(*core);
  testing.pause_reaper();
  for (int i = 0; i < 300; ++i) core->drop(core->make_handle(n_floats(8 << 10)));
  core->reclaim().relieve();
  EXPECT_EQ(core->stats().queued, 300);
  testing.step();  // the number of handles bounds a batch
  EXPECT_EQ(core->stats().queued, 300 - 256);
  testing.step();
  EXPECT_EQ(core->stats().queued, 0);
  EXPECT(core->stats().batches >= 2);
  EXPECT_EQ(core->stats().max_batch, 256);
}

TINYTF_TEST(core_batches_are_bounded_by_their_bytes) {
  const OpenCore core(CleanupStrategy::kInBackground);
  CoreTesting testing(*core);
  testing.pause_reaper();
  for (int i = 0; i < 10; ++i) core->drop(core->make_handle(n_floats(1 << 20)));  // 4 MiB each, 8 at once
  testing.step();
  EXPECT_EQ(core->stats().queued, 8);
}

TINYTF_TEST(core_safe_point_keeps_to_its_budget) {
  CoreOptions options = marks(CleanupStrategy::kOnSafePoints, 4096, 1 << 20);
  options.safe_point_budget_us = 1;
  const OpenCore core(options);
  std::vector<TensorHandle*> handles;
  for (int i = 0; i < 20000; ++i) handles.push_back(core->make_handle(n_floats(1)));
  for (TensorHandle* handle : handles) core->drop(handle);
  int64_t left = core->stats().queued;
  int drains = 0;
  for (; left > 0; ++drains) {
    core->reclaim().safe_point();
    EXPECT(core->stats().queued < left);  // each call makes progress
    left = core->stats().queued;
  }
  EXPECT(drains > 1);
  EXPECT_EQ(core->stats().freed, 20000);
  EXPECT_EQ(core->stats().drains, drains);
}

TINYTF_TEST(core_safe_point_above_the_hard_mark_has_no_budget) {
  CoreOptions options = marks(CleanupStrategy::kOnSafePoints, 100, 1000);
  options.safe_point_budget_us = 1;
  const OpenCore core(options);
  std::vector<TensorHandle*> handles;
  for (int i = 0; i < 20000; ++i) handles.push_back(core->make_handle(n_floats(1)));
  for (TensorHandle* handle : handles) core->drop(handle);
  core->reclaim().safe_point();
  EXPECT_EQ(core->stats().queued, 0);
}

TINYTF_TEST(core_at_its_memory_limit_frees_what_waits) {
  CoreOptions options;
  options.memory_limit_bytes = 1 << 20;
  const OpenCore core(options);
  CoreTesting testing(*core);
  testing.pause_reaper();
  const auto allocate = [&] { return Tensor::allocate(core->allocator(), DType::kFloat, Shape{60 << 10}); };  // 240 KiB
  for (int i = 0; i < 20; ++i) {
    auto value = allocate();
    EXPECT_OK(value.status());
    if (value.ok()) core->drop(core->make_handle(value.take()));
    const Allocator::Stats memory = core->allocator().stats();
    EXPECT(memory.live_bytes + memory.pooled_bytes <= 1 << 20);
  }
  std::vector<Tensor> held;
  for (int i = 0; i < 4; ++i) held.push_back(allocate().take());
  EXPECT_EQ(allocate().status().code(), Code::kResourceExhausted);
  held.pop_back();
  EXPECT_OK(allocate().status());
}

TINYTF_TEST(core_out_of_memory_frees_what_waits_and_tries_again) {
  const OpenCore core(CleanupStrategy::kOnSafePoints);
  CoreTesting testing(*core);
  core->drop(core->make_handle(Tensor::allocate(core->allocator(), DType::kFloat, Shape{1000}).take()));
  testing.fail_allocations(true);
  const auto again = Tensor::allocate(core->allocator(), DType::kFloat, Shape{1000});
  EXPECT_OK(again.status());
  EXPECT_EQ(core->stats().freed, 1);
  EXPECT_EQ(Tensor::allocate(core->allocator(), DType::kFloat, Shape{1000}).status().code(), Code::kResourceExhausted);
  testing.fail_allocations(false);
  EXPECT_OK(Tensor::allocate(core->allocator(), DType::kFloat, Shape{1000}).status());
}

Tensor own_floats(SessionCore& core, int64_t n) {
  return Tensor::allocate(core.allocator(), DType::kFloat, Shape{n}).take();
}

TINYTF_TEST(core_reaper_gives_idle_memory_back_with_time) {
  const OpenCore core(CleanupStrategy::kInBackground);
  CoreTesting testing(*core);
  testing.pause_reaper();
  testing.set_fake_now_ns(0);
  core->drop(core->make_handle(own_floats(*core, 20 << 20)));
  testing.step(2);  // it is freed and observed from now on
  testing.set_fake_now_ns(Allocator::kDecayPeriodNs);
  testing.step();
  const int64_t pooled = core->stats().pooled_bytes;
  EXPECT_EQ(pooled, int64_t{80} << 20);
  testing.set_fake_now_ns(2 * Allocator::kDecayPeriodNs - 1);
  testing.step();
  EXPECT_EQ(core->stats().pooled_bytes, pooled);
  testing.set_fake_now_ns(2 * Allocator::kDecayPeriodNs);
  testing.step();
  EXPECT_EQ(core->stats().pooled_bytes, 0);
  core->drop(core->make_handle(own_floats(*core, 1 << 20)));
  testing.set_fake_now_ns(10 * Allocator::kDecayPeriodNs);
  testing.step(2);
  EXPECT_EQ(core->stats().pooled_bytes, int64_t{4} << 20);  // this amount stays
}

TINYTF_TEST(core_that_grows_starts_its_reaper) {
  CoreOptions options;
  options.lazy_reaper = true;
  const OpenCore core(options);
  CoreTesting testing(*core);
  {
    const Tensor little = own_floats(*core, 3 << 20);
  }
  EXPECT(!testing.has_reaper());
  {
    const Tensor much = own_floats(*core, 5 << 20);
  }
  EXPECT(testing.has_reaper());
}

TINYTF_TEST(core_trim_gives_back_all_that_waits) {
  for (const CleanupStrategy strategy : {CleanupStrategy::kInBackground, CleanupStrategy::kOnSafePoints}) {
    const OpenCore core(strategy);
    CoreTesting testing(*core);
    testing.pause_reaper();
    core->drop(core->make_handle(own_floats(*core, 1 << 20)));
    core->drop(core->make_handle(own_floats(*core, 1 << 10)));
    EXPECT_EQ(core->reclaim().trim(), int64_t{(4 << 20) + (4 << 10)});
    EXPECT_EQ(core->reclaim().trim(), 0);
    EXPECT_EQ(core->stats().freed, 2);
    testing.resume();
  }
}

TINYTF_TEST(core_without_memory_for_handles_says_so) {
  const OpenCore core(CleanupStrategy::kInBackground);
  CoreTesting testing(*core);
  testing.fail_next_handles(2);
  EXPECT(core->make_handle(n_floats(6)) == nullptr);
  EXPECT(core->make_handle(DType::kFloat, make_ref<AsyncValue>()) == nullptr);
  TensorHandle* handle = core->make_handle(n_floats(6));
  EXPECT(handle != nullptr);
  core->drop(handle);
  EXPECT_EQ(core->stats().created, 1);
}

TINYTF_TEST(core_outlives_a_deleter_that_fails) {
  for (const CleanupStrategy strategy : kAllStrategies) {
    const OpenCore core(strategy);
    CoreTesting testing(*core);
    testing.set_failpoint(TestPoint::kInDeleter, [] { throw std::runtime_error("a test's failing deleter"); });
    for (int i = 0; i < 10; ++i) core->drop(core->make_handle(n_floats(6)));
    EXPECT_OK(core->reclaim().flush(-1));
    EXPECT_OK(core->close());
    EXPECT_EQ(core->stats().free_errors, 10);
    EXPECT_EQ(core->stats().freed, 10);
    EXPECT_EQ(core->stats().live_bytes + core->stats().queued_bytes + core->stats().retained_bytes, 0);
  }
}

TINYTF_TEST(core_warns_once_of_what_it_retains) {
  CoreOptions options = OpenCore::with(CleanupStrategy::kOnSessionClose);
  options.retained_warning_bytes = 100;
  const OpenCore core(options);
  EXPECT(!core->reclaim().retained_warning_due());
  for (int i = 0; i < 5; ++i) core->drop(core->make_handle(n_floats(6)));
  EXPECT(core->reclaim().retained_warning_due());
  EXPECT(!core->reclaim().retained_warning_due());
}

TINYTF_TEST(core_flush_waits_for_what_others_are_freeing) {
  const OpenCore core(CleanupStrategy::kInBackground);
  CoreTesting testing(*core);
  std::promise<void> taken, may_free;
  std::atomic<int> visits{0};
  testing.set_failpoint(TestPoint::kTakenBeforeFree, [&] {
    if (visits++ > 0) return;
    taken.set_value();
    may_free.get_future().wait();
  });
  core->drop(core->make_handle(n_floats(6)));
  taken.get_future().wait();
  core->drop(core->make_handle(n_floats(6)));
  EXPECT_EQ(core->reclaim().flush(20).code(), Code::kDeadlineExceeded);
  EXPECT_EQ(core->stats().freed, 1);  // all values not taken by another thread
  may_free.set_value();
  EXPECT_OK(core->reclaim().flush(-1));
  EXPECT_EQ(core->stats().freed, 2);
}

TINYTF_TEST(core_measures_how_long_values_waited) {
  const OpenCore core(CleanupStrategy::kInBackground);
  CoreTesting testing(*core);
  testing.pause_reaper();
  testing.set_fake_now_ns(1'000'000);
  core->drop(core->make_handle(n_floats(6)));
  testing.set_fake_now_ns(6'000'000);
  testing.step();
  EXPECT_EQ(core->stats().max_lag_us, 5000);
}

TINYTF_TEST(core_export_is_counted_beyond_the_close) {
  const OpenCore core(CleanupStrategy::kInBackground);
  core->memory().note_export(100);
  EXPECT_OK(core->close());
  EXPECT_EQ(core->stats().exported_bytes, 100);
  core->memory().note_unexport(100);
  EXPECT_EQ(core->stats().exported_bytes, 0);
}

TINYTF_TEST(core_shows_its_live_handles) {
  const OpenCore core(CleanupStrategy::kOnSafePoints);
  TensorHandle* held[2] = {core->make_handle(n_floats(6)), core->make_handle(n_floats(7))};
  core->drop(core->make_handle(n_floats(8)));
  int64_t seen = 0;
  core->for_each_live([&](TensorHandle& handle) { seen = 10 * seen + handle.tensor().num_elements(); });
  EXPECT_EQ(seen, 67);
  for (TensorHandle* handle : held) core->drop(handle);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

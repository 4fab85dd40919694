// Dropping values while other threads free them.

#include <algorithm>
#include <atomic>
#include <vector>

#include "handles/testing/core_testing.h"
#include "tests/cpp/core_fixture.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

Tensor own_floats(SessionCore& core, int64_t n) {
  auto value = Tensor::allocate(core.allocator(), DType::kFloat, Shape{n});
  TINYTF_CHECK(value.ok());
  std::fill_n(value.value().data<float>(), n, 1.0f);
  return value.take();
}

/// Makes a handle like an operation, on any thread.
TensorHandle* operate(SessionCore& core, int64_t n) {
  const SessionCore::Entry entry(core);
  if (!entry) return nullptr;
  core.reclaim().safe_point();
  if (core.reclaim().pressed()) core.reclaim().relieve();
  return core.make_handle(own_floats(core, n));
}

int64_t size_of_round(int round) { return round % 50 == 0 ? 8192 : 1 + round % 100; }

void expect_freed(SessionCore& core, int64_t created) {
  EXPECT_OK(core.close());
  const CoreStats stats = core.stats();
  EXPECT_EQ(stats.created, created);
  EXPECT_EQ(stats.freed + stats.invalidated, created);
  EXPECT_EQ(stats.live_bytes + stats.queued_bytes + stats.retained_bytes, int64_t{0});
  EXPECT_EQ(core.allocator().stats().live_bytes, int64_t{0});
}

TINYTF_TEST(producers_against_the_reaper) {
  const int count = rounds(2000);
  for (const CleanupStrategy strategy : kAllStrategies) {
    const OpenCore core(strategy);
    on_threads(5, [&](int) {
      std::vector<TensorHandle*> held(8, nullptr);
      for (int i = 0; i < count; ++i) {
        TensorHandle*& handle = held[static_cast<size_t>(i) % held.size()];
        if (handle != nullptr) {
          EXPECT_EQ(handle->tensor().data<float>()[0], 1.0f);
          core->drop(handle);
        }
        handle = operate(*core, size_of_round(i));
      }
      for (TensorHandle* handle : held) core->drop(handle);
    });
    expect_balanced(*core);
    expect_freed(*core, int64_t{5} * count);
  }
}

TINYTF_TEST(safe_points_on_many_threads) {
  CoreOptions options = OpenCore::with(CleanupStrategy::kOnSafePoints);
  for (const int64_t budget_us : {0, 1}) {
    options.safe_point_budget_us = budget_us;
    const int count = rounds(1000);
    const OpenCore core(options);
    on_threads(8, [&](int) {
      for (int i = 0; i < count; ++i) {
        TensorHandle* one = operate(*core, 10);
        TensorHandle* two = operate(*core, 10);
        core->drop(one);
        core->drop(two);
        core->reclaim().safe_point();
      }
    });
    EXPECT_OK(core->reclaim().flush(-1));
    EXPECT_EQ(core->stats().queued, int64_t{0});
    EXPECT_EQ(core->stats().freed, int64_t{16} * count);
    expect_freed(*core, int64_t{16} * count);
  }
}

// Only producing threads free, and the number of queued values stays bounded.
TINYTF_TEST(makers_help_when_the_reaper_does_not) {
  CoreOptions options;
  options.soft_handles = 100;
  options.hard_handles = 200;
  options.hard_bytes = 1 << 20;
  options.soft_bytes = 1 << 19;
  const OpenCore core(options);
  CoreTesting testing(*core);
  testing.pause_reaper();
  const int count = rounds(2000);
  std::atomic<int64_t> most{0};
  on_threads(6, [&](int) {
    for (int i = 0; i < count; ++i) {
      TensorHandle* handle = operate(*core, i % 10 == 0 ? 8192 : 10);
      const int64_t queued = core->stats().queued;
      int64_t seen = most;
      while (queued > seen && !most.compare_exchange_weak(seen, queued)) {
      }
      core->drop(handle);
    }
  });
  EXPECT(most <= 200 + 6);
  EXPECT(core->stats().peak_queued_bytes <= (1 << 20) + 6 * 32768);
  testing.resume();
  expect_freed(*core, int64_t{6} * count);
}

TINYTF_TEST(figures_are_read_meanwhile) {
  const OpenCore core(CleanupStrategy::kInBackground);
  const int count = rounds(2000);
  on_threads(4, [&](int t) {
    for (int i = 0; i < count; ++i) {
      if (t > 1) {
        core->drop(operate(*core, size_of_round(i)));
        continue;
      }
      const CoreStats stats = core->stats();
      EXPECT(stats.freed <= stats.created);
      EXPECT(stats.peak_bytes >= 0 && stats.pool_hits <= stats.allocations);
      if (t == 1 && i % 20 == 0) EXPECT_OK(core->reclaim().flush(-1));
      if (t == 0 && i % 50 == 0) core->for_each_live([](TensorHandle&) {});
    }
  });
  expect_freed(*core, int64_t{2} * count);
}

TINYTF_TEST(flushes_collects_and_resets_meanwhile) {
  const int count = rounds(300);
  for (const CleanupStrategy strategy : kAllStrategies) {
    const OpenCore core(strategy);
    on_threads(4, [&](int t) {
      for (int i = 0; i < count; ++i) {
        if (t == 0) {
          EXPECT_OK(i % 10 == 0 ? core->reset() : core->reclaim().flush(-1));
        } else if (t == 1) {
          core->reclaim().collect();
        } else {
          TensorHandle* handle = operate(*core, 10);  // null during a reset
          if (handle != nullptr) core->drop(handle);
        }
      }
    });
    EXPECT_OK(core->close());
    expect_balanced(*core);
  }
}

// The stack does not grow with the length of the chain.
TINYTF_TEST(long_queues_are_freed_without_recursion) {
  const int count = rounds(20000);
  for (const CleanupStrategy strategy : kAllStrategies) {
    const OpenCore core(strategy);
    std::vector<TensorHandle*> handles;
    const Tensor value = n_floats(1);
    for (int i = 0; i < count; ++i) handles.push_back(core->make_handle(value));
    for (TensorHandle* handle : handles) core->drop(handle);
    EXPECT_OK(core->close());
    EXPECT_EQ(core->stats().freed, int64_t{count});
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "services/thread_pool.h"

#include <atomic>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace {

TINYTF_TEST(thread_pool_runs_everything_before_it_ends) {
  std::atomic<int> done{0};
  {
    ThreadPool pool(3);
    EXPECT_EQ(pool.size(), 3);
    EXPECT(!pool.started());
    for (int i = 0; i < 100; ++i) pool.schedule([&] { ++done; });
    EXPECT(pool.started());
    pool.shutdown();
    EXPECT_EQ(done.load(), 100);
    pool.schedule([&] { ++done; });
    EXPECT_EQ(done.load(), 101);
  }
}

TINYTF_TEST(pool_parallel_covers_the_range_once) {
  ThreadPool pool(3);
  PoolParallel parallel(pool, 4);
  for (const int64_t n : {int64_t{0}, int64_t{1}, int64_t{63}, int64_t{100000}}) {
    std::vector<std::atomic<int>> seen(static_cast<size_t>(n));
    std::atomic<int> odd_cuts{0};
    parallel.run(n, 64, 100, [&](int64_t begin, int64_t end) {
      if (begin % 64 != 0 || (end % 64 != 0 && end != n)) ++odd_cuts;
      for (int64_t i = begin; i < end; ++i) ++seen[static_cast<size_t>(i)];
    });
    int wrong = 0;
    for (const auto& count : seen) wrong += count != 1;
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(odd_cuts.load(), 0);
  }
}

TINYTF_TEST(pool_parallel_loops_nest) {
  ThreadPool pool(2);
  PoolParallel parallel(pool, 3);
  std::atomic<int64_t> total{0};
  parallel.run(16, 1, 1e6, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      parallel.run(1000, 1, 1e4, [&](int64_t b, int64_t e) { total += e - b; });
    }
  });
  EXPECT_EQ(total.load(), 16000);
}

}  // namespace
}  // namespace tinytf

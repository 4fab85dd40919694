#include <atomic>
#include <functional>

#include "services/thread_pool.h"
#include "tests/stress/stress.h"

namespace tinytf {

using namespace testing;

TINYTF_TEST(nested_loops_of_many_threads) {
  ThreadPool pool(3);
  PoolParallel parallel(pool, 4);
  on_threads(6, [&](int t) {
    const int64_t outer = 8 + t, inner = 100 * (t + 1);
    for (int round = 0; round < rounds(20); ++round) {
      std::vector<int64_t> touched(static_cast<size_t>(outer * inner));
      parallel.run(outer, 1, 1e6, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end; ++i) {
          parallel.run(inner, 16, 1e4, [&](int64_t first, int64_t last) {
            for (int64_t k = first; k < last; ++k) ++touched[static_cast<size_t>(i * inner + k)];
          });
        }
      });
      EXPECT(std::all_of(touched.begin(), touched.end(), [](int64_t count) { return count == 1; }));
    }
  });
}

TINYTF_TEST(loops_share_a_pool_with_tasks) {
  ThreadPool pool(2);
  PoolParallel parallel(pool, 3);
  std::atomic<int64_t> tasks{0}, items{0};
  const int count = rounds(200);
  on_threads(4, [&](int t) {
    for (int i = 0; i < count; ++i) {
      if (t % 2 == 0) {
        pool.schedule([&] { parallel.run(64, 1, 1e5, [&](int64_t begin, int64_t end) { tasks += end - begin; }); });
      } else {
        parallel.run(64, 1, 1e5, [&](int64_t begin, int64_t end) { items += end - begin; });
      }
    }
  });
  pool.shutdown();
  EXPECT_EQ(tasks.load(), int64_t{128} * count);
  EXPECT_EQ(items.load(), int64_t{128} * count);
}

TINYTF_TEST(pools_end_while_work_makes_work) {
  constexpr int kDepth = 6;
  for (int round = 0; round < rounds(60); ++round) {
    std::atomic<int> done{0};
    Latch some_work(20 + round % 100);
    ThreadPool pool(3);
    const std::function<void(int)> spawn = [&](int depth) {
      ++done;
      some_work.count_down();
      for (int i = 0; depth > 0 && i < 2; ++i) pool.schedule([&spawn, depth] { spawn(depth - 1); });
    };
    // Two threads schedule while two shut the pool down; late work runs on the scheduling thread.
    on_threads(4, [&](int t) {
      if (t >= 2) {
        some_work.wait();
        return pool.shutdown();
      }
      for (int i = 0; i < 3; ++i) pool.schedule([&] { spawn(kDepth); });
    });
    EXPECT_EQ(done.load(), 6 * ((2 << kDepth) - 1));
  }
}

}  // namespace tinytf

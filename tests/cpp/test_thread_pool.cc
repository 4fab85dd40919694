#include "services/thread_pool.h"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <new>
#include <thread>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

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

TINYTF_TEST(thread_pool_takes_no_work_that_it_would_run_in_place) {
  ThreadPool pool(1);
  std::atomic<bool> open{false};
  std::atomic<int> done{0};
  pool.schedule([&] {
    while (!open) std::this_thread::yield();
  });
  int taken = 0;
  while (pool.try_schedule([&] { ++done; })) ++taken;  // until the queue is full
  EXPECT_EQ(done.load(), 0);
  pool.schedule([&] { done += 10'000; });
  EXPECT_EQ(done.load(), 10'000);
  open = true;
  pool.shutdown();
  EXPECT_EQ(done.load(), 10'000 + taken);
  EXPECT(taken > 0 && !pool.try_schedule([&] { ++done; }));
  EXPECT_EQ(done.load(), 10'000 + taken);
}

TINYTF_TEST(thread_pool_keeps_work_that_its_queue_has_no_room_for) {
  ThreadPool pool(1);
  std::atomic<bool> open{false};
  std::atomic<int> done{0};
  pool.schedule([&] {
    while (!open) std::this_thread::yield();
  });
  constexpr int kMany = 20'000;
  for (int i = 0; i < kMany; ++i) EXPECT(pool.enqueue([&] { ++done; }));
  EXPECT_EQ(done.load(), 0);
  // Work that is run in place does not run the other work there.
  while (pool.try_schedule([] {})) continue;
  pool.schedule([&] { done += 100'000; });
  EXPECT_EQ(done.load(), 100'000);
  open = true;
  while (done < 100'000 + kMany) std::this_thread::yield();
  // Also if a thread of the pool brings it, after the last piece of the queue was taken.
  pool.schedule([&] {
    for (int i = 0; i < kMany; ++i) EXPECT(pool.enqueue([&] { ++done; }));
  });
  while (done < 100'000 + 2 * kMany) std::this_thread::yield();
  pool.shutdown();
  EXPECT(!pool.enqueue([&] { ++done; }));
  EXPECT_EQ(done.load(), 100'000 + 2 * kMany);
}

struct EndsAfter final : LoopStopCheck {
  explicit EndsAfter(int chunks) : left(chunks) {}
  bool is_over() override { return left.fetch_sub(1) <= 0; }
  std::atomic<int> left;
};

/// Throws `thrown` in the middle of a loop, on one thread and on several. The loop throws it on when it has ended.
template <class Thrown>
void check_thrown(const Thrown& thrown) {
  ThreadPool pool(3);
  for (const int limit : {1, 3}) {
    PoolParallel parallel(pool, limit);
    std::atomic<int> inside{0};
    bool caught = false;
    try {
      parallel.run(1000, 1, 1e6, [&](int64_t begin, int64_t end) {
        ++inside;
        if (begin <= 500 && 500 < end) {
          --inside;
          throw thrown;
        }
        --inside;
      });
    } catch (const Thrown&) {
      caught = true;
    }
    EXPECT(caught);
    EXPECT_EQ(inside.load(), 0);
  }
}

TINYTF_TEST(pool_parallel_throws_on_what_a_body_threw) {
  check_thrown(std::bad_alloc());
  check_thrown(7);  // not a std::exception
}

TINYTF_TEST(pool_parallel_cuts_long_loops_that_are_over) {
  ThreadPool pool(3);
  for (const int limit : {1, 3}) {
    EndsAfter stop_check(4);
    PoolParallel parallel(pool, limit, &stop_check);
    std::atomic<int64_t> done{0};
    bool cut = false;
    try {
      parallel.run(1000, 1, 1e6, [&](int64_t begin, int64_t end) { done += end - begin; });
    } catch (const LoopCut&) {
      cut = true;
    }
    EXPECT(cut);
    EXPECT(done > 0 && done < 1000);
    parallel.run(1000, 1, 10, [&](int64_t begin, int64_t end) { done += end - begin; });  // short loops are not stopped
    EXPECT(done >= 1000);
  }
}

TINYTF_TEST(pool_parallel_looks_by_the_clock_where_estimates_are_too_low) {
  using Clock = std::chrono::steady_clock;
  ThreadPool pool(3);
  for (const int limit : {1, 3}) {
    EndsAfter stop_check(2 * limit);
    PoolParallel parallel(pool, limit, &stop_check);
    std::atomic<int64_t> done{0};
    bool cut = false;
    try {
      parallel.run(6400 * limit, 64, 1000, [&](int64_t begin, int64_t end) {
        const auto until = Clock::now() + std::chrono::microseconds((end - begin) * 1000 / 64);
        while (Clock::now() < until) continue;
        done += end - begin;
      });
    } catch (const LoopCut&) {
      cut = true;
    }
    EXPECT(cut);
    EXPECT(done > 0 && done < 6400 * limit);
  }
}

TINYTF_TEST(pool_parallel_runs_in_order_and_cuts_what_is_over) {
  ThreadPool pool(3);
  const std::thread::id here = std::this_thread::get_id();
  EndsAfter stop_check(4);
  PoolParallel parallel(pool, 3, &stop_check);
  int64_t next = 0, strays = 0;
  bool cut = false;
  const auto body = [&](int64_t begin, int64_t end) {
    if (begin != next || end <= begin || std::this_thread::get_id() != here) ++strays;
    next = end;
  };
  try {
    parallel.run_in_order(1'000'000, 1e6, body);
  } catch (const LoopCut&) {
    cut = true;
  }
  EXPECT(cut && next > 0 && next < 1'000'000);
  next = 0;
  parallel.run_in_order(1000, 10, body);  // short loops are not stopped
  EXPECT_EQ(next, 1000);
  parallel.run_in_order(0, 10, body);
  EXPECT_EQ(strays, 0);
}

TINYTF_TEST(pool_parallel_covers_the_range_once) {
  ThreadPool pool(3);
  EndsAfter never(std::numeric_limits<int>::max());
  PoolParallel parallel(pool, 4, &never);
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

TINYTF_TEST(pool_parallel_keeps_small_loops_in_place) {
  ThreadPool pool(2);
  PoolParallel parallel(pool, 2);
  EXPECT_EQ(parallel.threads(), 2);
  int calls = 0;
  const auto count = [&](int64_t begin, int64_t end) { calls += begin == 0 && end == 1000; };
  parallel.run(1000, 1, 1, count);       // one microsecond of work
  parallel.run(1000, 1000, 1e6, count);  // one block
  PoolParallel(pool, 1).run(1000, 1, 1e6, count);
  EXPECT_EQ(calls, 3);
  EXPECT(!pool.started());
}

#ifndef __SANITIZE_THREAD__  // TSan cannot start threads after a fork of a multi-threaded process
TINYTF_TEST(thread_pool_starts_anew_in_a_forked_child) {
  ThreadPool pool(2);
  std::atomic<int> done{0};
  pool.schedule([&] { ++done; });
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    std::atomic<int64_t> total{0};
    PoolParallel(pool, 2).run(1000, 1, 1e6, [&](int64_t begin, int64_t end) { total += end - begin; });
    pool.schedule([&] { total += 1; });
    pool.shutdown();
    _exit(total == 1001 ? 0 : 1);
  }
  int status = 1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  pool.shutdown();
  EXPECT_EQ(done.load(), 1);
}

TINYTF_TEST(thread_pools_of_the_process_end_together) {
  const pid_t child = fork();  // in a child, because this process still needs the pools
  if (child == 0) {
    alarm(60);
    const auto named = ThreadPool::named("of the child", 2).take();
    std::atomic<int> done{0};
    for (ThreadPool* pool : {named.get(), &ThreadPool::process()}) pool->schedule([&] { ++done; });
    ThreadPool::shutdown_all();
    const bool ended = done == 2 && !named->started() && !ThreadPool::process().started();
    named->schedule([&] { ++done; });  // runs on the calling thread
    _exit(ended && done == 3 ? 0 : 1);
  }
  int status = 1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
#endif

TINYTF_TEST(thread_pools_are_shared_by_name) {
  const auto first = ThreadPool::named("shared", 2), second = ThreadPool::named("shared", 2);
  EXPECT(first.ok() && second.ok() && first.value() == second.value());
  EXPECT_EQ(first.value()->size(), 2);
  EXPECT(first.value() != ThreadPool::named("another", 2).value());
  const Status status = ThreadPool::named("shared", 3).status();
  EXPECT_EQ(status.code(), Code::kInvalidArgument);
  EXPECT_EQ(status.message(),
            "Pool shared configured previously with num_threads=2; cannot re-configure with num_threads=3");
}

TINYTF_TEST(thread_pool_of_the_process_fits_the_machine) {
  EXPECT(cpu_count() >= 1);
  EXPECT_EQ(ThreadPool::process().size(), cpu_count());
  EXPECT_EQ(&ThreadPool::process(), &ThreadPool::process());
  EXPECT_EQ(ThreadPool(0).size(), 1);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "handles/reaper.h"

#include <pthread.h>

#include <atomic>
#include <string>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

/// Only counts its items.
class Counted final : public ReaperWork {
 public:
  void add(Reaper& reaper, int items = 1) {
    const bool first = left_.fetch_add(items) == 0;
    if (first) reaper.notify();
  }
  void wait_for_freed(int64_t items) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return freed_ >= items; });
  }
  void wait_for_sleep() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return asleep_; });
  }
  void expect_more(bool more) { more_ = more; }
  void wait_for_rests(int rests) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return rests_ >= rests; });
  }
  int ends() const { return ends_; }
  std::string thread_name() {
    std::lock_guard lock(mutex_);
    return name_;
  }

 private:
  int64_t free_batch() override {
    const int64_t batch = left_.exchange(0);
    std::lock_guard lock(mutex_);
    freed_ += batch;
    asleep_ = false;
    changed_.notify_all();
    return batch;
  }
  bool nothing_queued() const override { return left_ == 0; }
  bool more_may_come() const override { return more_; }
  bool urgent() const override { return left_ > 1000; }
  void before_batch() override {}
  void before_rest() override {
    char name[16];
    pthread_getname_np(pthread_self(), name, sizeof name);
    std::lock_guard lock(mutex_);
    name_ = name;
    asleep_ = true;
    ++rests_;
    changed_.notify_all();
  }
  void at_end() override { ++ends_; }

  std::atomic<int64_t> left_{0};
  std::atomic<int> ends_{0};
  std::atomic<bool> more_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  int64_t freed_ = 0;
  bool asleep_ = false;
  int rests_ = 0;
  std::string name_;
};

void stop(Reaper& reaper) {
  reaper.tell_stop();
  EXPECT(reaper.wait_done(std::chrono::steady_clock::now() + std::chrono::minutes(1)));
  reaper.join();
  EXPECT(!reaper.alive() && !reaper.started());
}

TINYTF_TEST(reaper_works_when_it_is_told_and_ends_when_it_is_told) {
  Counted work;
  Reaper reaper(work);
  EXPECT(!reaper.alive());
  for (int round = 1; round <= 3; ++round) {  // can be started again
    EXPECT(reaper.start());
    EXPECT(reaper.alive());
    work.add(reaper, 5);
    work.wait_for_freed(5 * round);
    stop(reaper);
    EXPECT_EQ(work.ends(), round);
  }
  EXPECT(reaper.batches() >= 3);
  EXPECT_EQ(reaper.max_batch(), 5);
}

TINYTF_TEST(reaper_wakes_from_sleep) {
  Counted work;
  Reaper reaper(work, /*nap_us=*/0);
  EXPECT(reaper.start());
  for (int i = 1; i <= 5; ++i) {
    work.wait_for_sleep();
    work.add(reaper);
    work.wait_for_freed(i);
  }
  work.wait_for_sleep();
  EXPECT(reaper.wakeups() >= 5);
  EXPECT_EQ(work.thread_name(), std::string("tinytf-reaper"));
  stop(reaper);
}

TINYTF_TEST(reaper_naps_when_it_is_roused_and_after_work) {
  Counted work;
  Reaper reaper(work, /*nap_us=*/100'000);  // sleeps after 25 s without work
  EXPECT(reaper.start());
  work.wait_for_sleep();
  reaper.rouse();
  for (int i = 1; i <= 3; ++i) {
    work.add(reaper);
    work.wait_for_freed(i);
  }
  EXPECT_EQ(reaper.wakeups(), 1);  // a nap ends without a wakeup
  stop(reaper);
}

TINYTF_TEST(reaper_does_not_sleep_while_more_may_come) {
  Counted work;
  Reaper reaper(work, /*nap_us=*/1);  // would sleep after 255 µs without work
  work.expect_more(true);
  EXPECT(reaper.start());
  for (int i = 1; i <= 20; ++i) {
    work.wait_for_rests(20 * i);
    work.add(reaper);
    work.wait_for_freed(i);
  }
  EXPECT_EQ(reaper.wakeups(), 0);
  work.expect_more(false);
  while (reaper.wakeups() == 0) reaper.notify();
  stop(reaper);
}

TINYTF_TEST(reaper_is_urged_without_work) {
  Counted work;
  Reaper reaper(work);
  reaper.notify();  // there is no thread yet
  reaper.notify_urgent();
  EXPECT(reaper.start());
  work.wait_for_sleep();
  reaper.notify_urgent();
  work.add(reaper);
  work.wait_for_freed(1);
  stop(reaper);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

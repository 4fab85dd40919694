#include "handles/core_reaper.h"

#include <future>
#include <thread>

#include "tests/cpp/harness.h"
#include "tests/cpp/in_child.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

/// A core without queued work, as seen by its reaper.
class Life final : public RefCounted, public ReaperWork {
 public:
  explicit Life(std::promise<void>& gone) : gone_(gone) {}
  ~Life() override { gone_.set_value(); }

  CoreReaper& reaper() { return reaper_; }
  CoreLock& lock() { return lock_; }
  CoreStats stats() const {
    CoreStats stats;
    reaper_.count(stats);
    return stats;
  }

 private:
  int64_t free_batch() override { return 0; }
  bool nothing_queued() const override { return true; }
  bool more_may_come() const override { return false; }
  bool urgent() const override { return false; }
  void before_batch() override {}
  void before_rest() override {}
  void at_end() override { reaper_.at_end(); }

  std::promise<void>& gone_;
  const TestPoints points_;
  CoreLock lock_;
  CoreReaper reaper_{*this, *this, lock_, points_};
};

TINYTF_TEST(core_reaper_starts_when_it_is_wanted) {
  std::promise<void> gone;
  RefPtr<Life> life = make_ref<Life>(gone);
  CoreReaper& reaper = life->reaper();
  reaper.start_if_wanted();
  EXPECT(!reaper.alive());
  EXPECT_OK(reaper.end(Waiting()));  // there is no reaper
  reaper.want();
  EXPECT(!reaper.alive());
  reaper.start_if_wanted();
  reaper.start_if_wanted();
  EXPECT(reaper.alive());
  EXPECT(life->stats().reaper_alive);
  EXPECT_OK(reaper.end(Waiting()));
  EXPECT(!reaper.alive());
  reaper.want();
  reaper.want_no_more();
  reaper.start_if_wanted();
  EXPECT(!reaper.alive());
  life.reset();
  gone.get_future().wait();
}

TINYTF_TEST(core_reaper_that_was_let_go_keeps_the_core_to_its_end) {
  std::promise<void> gone;
  RefPtr<Life> life = make_ref<Life>(gone);
  CoreReaper& reaper = life->reaper();
  reaper.want();
  reaper.start_if_wanted();
  {
    std::lock_guard lock(life->lock().mutex);
    EXPECT(reaper.let_go_of_thread());
  }
  EXPECT(reaper.was_let_go());
  life.reset();
  gone.get_future().wait();
}

TINYTF_TEST(core_reaper_is_forgotten_in_a_child) {
  std::promise<void> gone;
  RefPtr<Life> life = make_ref<Life>(gone);
  CoreReaper& reaper = life->reaper();
  reaper.want();
  reaper.start_if_wanted();
  EXPECT(holds_in_child([&] {
    const bool had = reaper.forget();
    return had && !reaper.forget() && !reaper.alive() && life->unique();
  }));
  EXPECT_OK(reaper.end(Waiting()));
  life.reset();
  gone.get_future().wait();
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

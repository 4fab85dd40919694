#include "handles/waiting.h"

#include <atomic>
#include <string>
#include <thread>

#include "tests/cpp/harness.h"
#include "tests/cpp/in_child.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

TINYTF_TEST(waiting_ends_when_it_is_told) {
  CoreLock lock;
  bool come = false;
  std::thread other([&] {
    {
      std::lock_guard guard(lock.mutex);
      come = true;
    }
    lock.tell();
  });
  {
    std::unique_lock held(lock.mutex);
    EXPECT_OK(Waiting().wait(held, lock.changed, [&] { return come; }, [] { return "it"; }));
    EXPECT(held.owns_lock());
  }
  other.join();
}

TINYTF_TEST(waiting_has_a_time_limit) {
  CoreLock lock;
  std::unique_lock held(lock.mutex);
  const Status status = Waiting(10).wait(held, lock.changed, [] { return false; }, [] { return "two cats are out"; });
  EXPECT_EQ(status.code(), Code::kDeadlineExceeded);
  EXPECT_EQ(status.message(), std::string("The session did not end within 10 ms: two cats are out."));
  EXPECT_EQ(Waiting(0).left_ms(), 0);
  EXPECT_EQ(Waiting().left_ms(), -1);
}

TINYTF_TEST(waiting_that_is_interrupted_stays_so) {
  CoreLock lock;
  int asked = 0;
  const Waiting waiting(-1, [&] { return ++asked == 2; });
  std::unique_lock held(lock.mutex);
  const auto never = [] { return false; };
  const auto what = [] { return "it"; };
  EXPECT_EQ(waiting.wait(held, lock.changed, never, what).code(), Code::kCancelled);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(waiting.wait(held, lock.changed, never, what).code(), Code::kCancelled);
  EXPECT_EQ(asked, 2);
  EXPECT_OK(waiting.wait(held, lock.changed, [] { return true; }, what));
}

TINYTF_TEST(waiting_begins_anew_in_a_child) {
  CoreLock lock;
  std::unique_lock held(lock.mutex);
  EXPECT(holds_in_child([&] {
    lock.start_anew();
    return lock.mutex.try_lock();
  }));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

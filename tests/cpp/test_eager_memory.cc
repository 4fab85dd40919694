#include "runtime/eager/eager_memory.h"

#include "handles/testing/core_testing.h"
#include "tests/cpp/eager_session_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::EagerFixture;
using testing::n_floats;
using testing::OpenCore;

TINYTF_TEST(room_is_made_at_safe_points) {
  EagerFixture session({}, OpenCore::with(CleanupStrategy::kOnSafePoints));
  session.drop(session.value(n_floats(3)));
  EXPECT_EQ(session.core().stats().queued, 1);
  make_room(session.core(), session.host);
  EXPECT_EQ(session.core().stats().queued, 0);
  EXPECT_EQ(session.host.unlocked, 0);
}

TINYTF_TEST(room_is_made_without_the_lock_above_the_hard_mark) {
  CoreOptions options = OpenCore::with(CleanupStrategy::kInBackground);
  options.soft_handles = 2;
  options.hard_handles = 4;
  EagerFixture session({}, options);
  CoreTesting testing(session.core());
  testing.pause_reaper();
  for (int i = 0; i < 20; ++i) session.drop(session.value(n_floats(3)));
  EXPECT_EQ(session.core().stats().queued, 20);
  make_room(session.core(), session.host);
  EXPECT_EQ(session.host.unlocked, 1);
  EXPECT(session.core().stats().queued <= 4);
}

TINYTF_TEST(garbage_is_collected_when_too_much_lives_and_again_when_it_is_twice_that) {
  EagerOptions options;
  options.gc_pressure_bytes = 1000;
  EagerFixture session(options);
  TensorHandle* small = session.value(n_floats(100));
  collect_garbage(session.core(), session.context(), session.host);
  EXPECT_EQ(session.host.collections, 0);
  TensorHandle* large = session.value(n_floats(1000));
  collect_garbage(session.core(), session.context(), session.host);
  EXPECT_EQ(session.host.collections, 1);
  collect_garbage(session.core(), session.context(), session.host);
  EXPECT_EQ(session.host.collections, 1);
  TensorHandle* more = session.value(n_floats(2000));
  collect_garbage(session.core(), session.context(), session.host);
  EXPECT_EQ(session.host.collections, 2);
  for (TensorHandle* handle : {small, large, more}) session.drop(handle);
}

TINYTF_TEST(errors_of_memory_tell_who_holds_it) {
  EagerFixture session;
  TensorHandle* x = session.value(n_floats(100));
  EXPECT_EQ(with_holders(internal_error("bad"), session.core()).message(), "bad");
  const Status status = with_holders(Status(Code::kResourceExhausted, "full"), session.core());
  EXPECT(status.message().find("Most is held by: 400 bytes in float [100]") != std::string::npos);
  int attempts = 0;
  EXPECT_OK(with_memory(session.core(), session.host,
                        [&] { return ++attempts == 1 ? Status(Code::kResourceExhausted, "full") : Status(); }));
  EXPECT_EQ(attempts, 2);
  EXPECT_EQ(session.host.collections, 1);
  session.drop(x);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

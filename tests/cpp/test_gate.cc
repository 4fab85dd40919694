#include "handles/gate.h"

#include <future>
#include <optional>
#include <string>
#include <thread>

#include "tests/cpp/harness.h"
#include "tests/cpp/in_child.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

TINYTF_TEST(gate_counts_who_is_inside) {
  CoreLock lock;
  CoreGate gate(lock);
  CoreGate other(lock);
  {
    const CoreGate::Entry outer(gate);
    const CoreGate::Entry between(other);
    const CoreGate::Entry inner(gate);
    EXPECT(outer && inner);
    EXPECT_EQ(gate.users(), 2);
    EXPECT_EQ(gate.users_on_this_thread(), 2);
    EXPECT_EQ(other.users_on_this_thread(), 1);
    int64_t there = -1;
    std::thread([&] { there = gate.users_on_this_thread(); }).join();
    EXPECT_EQ(there, 0);
  }
  EXPECT_EQ(gate.users(), 0);
}

TINYTF_TEST(gate_that_is_closed_lets_nobody_in) {
  CoreLock lock;
  CoreGate gate(lock);
  gate.close();
  {
    const CoreGate::Entry entry(gate);
    EXPECT(!entry);
    EXPECT_EQ(gate.users(), 0);
    EXPECT_EQ(gate.users_on_this_thread(), 0);
  }
  gate.open();
  EXPECT(CoreGate::Entry(gate));
}

TINYTF_TEST(gate_waits_for_the_last_one) {
  CoreLock lock;
  CoreGate gate(lock);
  std::promise<void> inside, may_leave;
  std::thread visitor([&] {
    const CoreGate::Entry entry(gate);
    inside.set_value();
    may_leave.get_future().wait();
  });
  inside.get_future().wait();
  gate.close();
  std::unique_lock held(lock.mutex);
  const Status late = gate.wait_until_empty(Waiting(5), held);
  EXPECT_EQ(late.message(), std::string("The session did not end within 5 ms: 1 operation is still running."));
  may_leave.set_value();
  EXPECT_OK(gate.wait_until_empty(Waiting(), held));
  held.unlock();
  visitor.join();
}

TINYTF_TEST(gate_forgets_other_threads_in_a_child) {
  CoreLock lock;
  CoreGate gate(lock);
  std::promise<void> inside, may_leave;
  std::thread visitor([&] {
    const CoreGate::Entry one(gate);
    const CoreGate::Entry two(gate);
    inside.set_value();
    may_leave.get_future().wait();
  });
  inside.get_future().wait();
  {
    const CoreGate::Entry mine(gate);
    gate.close();
    EXPECT(holds_in_child([&] {
      gate.forget_other_threads();
      CoreStats stats;
      gate.count(stats);
      return gate.users() == 1 && stats.fork_orphaned == 2 && !CoreGate::Entry(gate);
    }));
  }
  may_leave.set_value();
  visitor.join();
  EXPECT_EQ(gate.users(), 0);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

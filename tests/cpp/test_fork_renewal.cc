#include "services/fork_renewal.h"

#include <atomic>
#include <thread>
#include <vector>

#include "tests/cpp/harness.h"
#include "tests/cpp/in_child.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

TINYTF_TEST(fork_renewal_is_due_once_in_each_child) {
  ForkRenewal renewal;
  int times = 0;
  const auto renew = [&] { ++times; };
  renewal.run_if_due(renew);
  EXPECT_EQ(times, 0);
  EXPECT(holds_in_child([&] {
    if (!renewal.due()) return false;
    renewal.run_if_due(renew);
    renewal.run_if_due(renew);
    const bool once = times == 1 && !renewal.due();
    return once && holds_in_child([&] {
             renewal.run_if_due(renew);
             return times == 2;
           });
  }));
  EXPECT(!renewal.due());
  EXPECT(holds_in_child([] { return !ForkRenewal().due(); }));  // an object made in a child is new
}

TINYTF_TEST(fork_renewal_is_over_when_others_go_on) {
  if (!kChildrenStartThreads) return;
  ForkRenewal renewal;
  EXPECT(holds_in_child([&] {
    std::atomic<int> times{0}, early{0};
    std::atomic<bool> renewed{false};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        renewal.run_if_due([&] {
          ++times;
          for (int i = 0; i < 100; ++i) std::this_thread::yield();
          renewed = true;
        });
        if (!renewed) ++early;
      });
    }
    for (std::thread& thread : threads) thread.join();
    return times == 1 && early == 0;
  }));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

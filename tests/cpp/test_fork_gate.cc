#include "services/fork_gate.h"

#include <sys/wait.h>
#include <unistd.h>

#include <future>
#include <thread>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

/// The exit status of a forked child that runs `body`, which returns it.
template <class Body>
int status_of_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(body());
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TINYTF_TEST(fork_gate_counts_generations) {
  const int generation = ForkGate::generation();
  EXPECT_EQ(status_of_child([] { return ForkGate::generation(); }), generation + 1);
  EXPECT_EQ(status_of_child([] { return status_of_child([] { return ForkGate::generation(); }); }), generation + 2);
  EXPECT_EQ(ForkGate::generation(), generation);
}

TINYTF_TEST(fork_gate_lets_the_forking_thread_be_inside) {
  ForkGate::Pass outer;
  ForkGate::Pass inner;
  const auto child = [] {
    ForkGate::Pass pass;
    return status_of_child([] { return 7; });
  };
  EXPECT_EQ(status_of_child(child), 7);
}

TINYTF_TEST(fork_gate_does_not_cut_through_work) {
  ForkGate::set_patience(std::chrono::minutes(1));  // threads may be delayed on a loaded machine
  std::atomic<bool> ended{false};
  std::atomic<int> half_done{0};
  const auto work = [&] {
    while (!ended) {
      ForkGate::Pass pass;
      ++half_done;
      for (int i = 0; i < 100; ++i) std::this_thread::yield();
      --half_done;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) threads.emplace_back(work);
  for (int i = 0; i < 50; ++i) {
    EXPECT_EQ(status_of_child([&] {
                ForkGate::Pass pass;
                return half_done.load();
              }),
              0);
  }
  ended = true;
  for (std::thread& thread : threads) thread.join();
  ForkGate::set_patience(std::chrono::seconds(1));
}

TINYTF_TEST(fork_gate_lets_those_wait_outside_who_have_passes) {
  std::promise<void> outside;
  std::promise<void> may_enter;
  std::thread thread([&] {
    ForkGate::Pass outer;
    ForkGate::Pass inner;
    {
      ForkGate::Outside waiting;
      ForkGate::Outside nested;  // no further effect
      outside.set_value();
      may_enter.get_future().wait();
    }
    ForkGate::Pass again;
  });
  outside.get_future().wait();
  for (int i = 0; i < 100; ++i) EXPECT_EQ(status_of_child([] { return 5; }), 5);
  may_enter.set_value();
  thread.join();
  ForkGate::Outside without_passes;
}

TINYTF_TEST(fork_gate_does_not_wait_for_ever) {
  std::promise<void> inside;
  std::promise<void> may_leave;
  std::thread thread([&] {
    ForkGate::Pass pass;
    inside.set_value();
    may_leave.get_future().wait();
  });
  inside.get_future().wait();
  EXPECT_EQ(status_of_child([] {
              ForkGate::Pass pass;
              return status_of_child([] { return 3; });  // only this thread is inside in the child
            }),
            3);
  may_leave.set_value();
  thread.join();
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

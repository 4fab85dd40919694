#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "handles/testing/core_testing.h"
#include "tests/cpp/core_fixture.h"
#include "tests/stress/stress.h"

namespace tinytf {

using namespace testing;

// Threads create and drop values while the process forks; each child reads, creates and closes.
TINYTF_TEST(forks_during_churn) {
  const OpenCore core(CleanupStrategy::kInBackground);
  TensorHandle* held = core->make_handle(n_floats(100, 1.5f));
  std::atomic<bool> ended{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      const Tensor value = n_floats(1);
      while (!ended) {
        const ForkGate::Pass pass;  // as in an operation; a fork must not interrupt malloc either
        const SessionCore::Entry entry(*core);
        if (core->reclaim().pressed()) core->reclaim().relieve();
        core->drop(core->make_handle(value));
      }
    });
  }
  for (int round = 0; round < rounds(20); ++round) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      bool fine = held->tensor().data<float>()[99] == 1.5f;
      if (kChildrenStartThreads) {
        const SessionCore::Entry entry(*core);
        TensorHandle* made = core->make_handle(n_floats(3));
        fine = fine && made != nullptr;
        core->drop(made);
      }
      fine = fine && core->reclaim().flush(20000).ok() && core->close(20000).ok();
      _exit(fine ? 7 : 1);
    }
    int status = 0;
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 7);
  }
  ended = true;
  for (std::thread& thread : threads) thread.join();
  core->drop(held);
  EXPECT_OK(core->close());
  EXPECT_EQ(core->stats().freed, core->stats().created);
}

}  // namespace tinytf

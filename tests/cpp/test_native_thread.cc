#include "services/native_thread.h"

#include <signal.h>

#include <future>
#include <string>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

struct Seen {
  std::string name;
  bool takes_signals = true;
  bool is_current = false;
  NativeThread* thread = nullptr;
  std::promise<void> started;
};

void look(void* argument) {
  Seen& seen = *static_cast<Seen*>(argument);
  seen.started.get_future().wait();
  char name[32] = {};
  pthread_getname_np(pthread_self(), name, sizeof name);
  seen.name = name;
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  seen.takes_signals = sigismember(&blocked, SIGINT) == 0 || sigismember(&blocked, SIGALRM) == 0;
  seen.is_current = seen.thread->is_current();
}

TINYTF_TEST(native_thread_has_a_name_and_gets_no_signals) {
  for (const size_t stack : {size_t{0}, size_t{1}, size_t{128} << 10}) {
    NativeThread thread;
    Seen seen;
    seen.thread = &thread;
    EXPECT(!thread.started());
    EXPECT(thread.start("tinytf-a-long-name-of-a-thread", stack, true, &look, &seen));
    EXPECT(thread.started() && !thread.is_current());
    seen.started.set_value();
    thread.join();
    EXPECT(!thread.started());
    EXPECT_EQ(seen.name, std::string("tinytf-a-long-n"));
    EXPECT(!seen.takes_signals);
    EXPECT(seen.is_current);
  }
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  EXPECT_EQ(sigismember(&blocked, SIGINT), 0);  // the starting thread's mask is unchanged
}

TINYTF_TEST(native_thread_can_be_started_again) {
  NativeThread thread;
  int runs = 0;
  for (int i = 0; i < 3; ++i) {
    EXPECT(thread.start("tinytf-again", 0, false, [](void* runs) { ++*static_cast<int*>(runs); }, &runs));
    thread.join();
  }
  EXPECT_EQ(runs, 3);
}

TINYTF_TEST(native_thread_can_be_let_go) {
  static std::promise<void> done;  // static, because the thread may still use it when the case ends
  NativeThread thread;
  EXPECT(thread.start("tinytf-gone", 0, false, [](void*) { done.set_value(); }, nullptr));
  thread.detach();
  EXPECT(!thread.started());
  done.get_future().wait();
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "services/native_thread.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "services/platform.h"

namespace tinytf {

namespace {

struct Start {
  bool yields;
  void (*body)(void*);
  void* argument;
  char name[kThreadNameBytes];
};

void* run(void* argument) {
  const std::unique_ptr<Start> handed_over(static_cast<Start*>(argument));
  const Start start = *handed_over;
  name_this_thread(start.name);
  if (start.yields) let_others_go_on_at_wakeup();
  start.body(start.argument);
  return nullptr;
}

/// The smallest usable stack size in bytes, including the system's share for thread-local variables.
size_t smallest_stack() {
  const long needed = sysconf(_SC_THREAD_STACK_MIN);
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t bytes = (needed > 0 ? static_cast<size_t>(needed) : size_t{64} << 10) + (size_t{64} << 10);
  return (bytes + page - 1) / page * page;
}

}  // namespace

bool NativeThread::start(const char* name, size_t stack_bytes, bool yields, void (*body)(void*), void* argument) {
  auto start = std::make_unique<Start>(Start{yields, body, argument, {}});
  for (size_t i = 0; i + 1 < sizeof start->name && name[i] != 0; ++i) start->name[i] = name[i];

  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  if (stack_bytes > 0) pthread_attr_setstacksize(&attributes, std::max(stack_bytes, smallest_stack()));
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);  // the new thread inherits the mask
  int failed = pthread_create(&thread_, &attributes, &run, start.get());
  if (failed != 0 && stack_bytes > 0) failed = pthread_create(&thread_, nullptr, &run, start.get());
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  started_ = failed == 0;
  if (started_) (void)start.release();  // the new thread owns it
  return started_;
}

void NativeThread::join() {
  pthread_join(thread_, nullptr);
  started_ = false;
}

void NativeThread::detach() {
  pthread_detach(thread_);
  started_ = false;
}

}  // namespace tinytf

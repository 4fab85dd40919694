// Preloaded into a process (`make late`) to simulate a busy machine: its threads start late and the engine's threads
// wake late, by up to TINYTF_LATE milliseconds (30), half of the time without delay. Reveals code that depends on
// thread timing. A delayed wait already holds its lock again, so that other threads that want the lock wait, too. For
// glibc on Linux.

#include <dlfcn.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <time.h>

#include <cstdlib>
#include <cstring>

namespace {

/// The C library's function with this name; `version` selects the symbol version, because older ones use another layout
/// of condition variables.
template <class Function>
Function* original(const char* name, const char* version = nullptr) {
  void* found = version == nullptr ? nullptr : dlvsym(RTLD_NEXT, name, version);
  return reinterpret_cast<Function*>(found != nullptr ? found : dlsym(RTLD_NEXT, name));
}

void be_late() {
  thread_local unsigned state = 0;
  timespec time{};
  if (state == 0) {
    clock_gettime(CLOCK_MONOTONIC, &time);
    state = static_cast<unsigned>(time.tv_nsec) | 1U;
  }
  if (rand_r(&state) % 2 == 0) return;
  const char* most = std::getenv("TINYTF_LATE");
  time.tv_sec = 0;
  time.tv_nsec = static_cast<long>(rand_r(&state) / (RAND_MAX + 1.0) * 1e6 * (most == nullptr ? 30 : std::atoi(most)));
  nanosleep(&time, nullptr);
}

int wake_late(int result) {
  char name[16];
  if (prctl(PR_GET_NAME, name) == 0 && std::strncmp(name, "tinytf-", 7) == 0) be_late();
  return result;
}

struct Begin {
  void* (*body)(void*);
  void* argument;
};

void* begin_late(void* argument) {
  const Begin begin = *static_cast<Begin*>(argument);
  delete static_cast<Begin*>(argument);
  be_late();
  return begin.body(begin.argument);
}

}  // namespace

extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument) noexcept {
  auto* begin = new Begin{body, argument};
  const int failed = original<decltype(pthread_create)>("pthread_create")(thread, attributes, begin_late, begin);
  if (failed != 0) delete begin;
  return failed;
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  return wake_late(original<decltype(pthread_cond_wait)>("pthread_cond_wait", "GLIBC_2.3.2")(condition, mutex));
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* until) {
  return wake_late(
      original<decltype(pthread_cond_timedwait)>("pthread_cond_timedwait", "GLIBC_2.3.2")(condition, mutex, until));
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock, const timespec* until) {
  return wake_late(
      original<decltype(pthread_cond_clockwait)>("pthread_cond_clockwait")(condition, mutex, clock, until));
}

}  // extern "C"

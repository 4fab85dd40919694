#include "services/platform.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <thread>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tinytf {

#if defined(__linux__)

void name_this_thread(const char* name) { pthread_setname_np(pthread_self(), name); }

void let_others_go_on_at_wakeup() {
  const sched_param none{};
  pthread_setschedparam(pthread_self(), SCHED_BATCH, &none);
}

uint32_t this_thread_number() { return static_cast<uint32_t>(syscall(SYS_gettid)); }

int processors_of_this_process() {
  cpu_set_t cpus;
  if (sched_getaffinity(0, sizeof cpus, &cpus) == 0) return std::max(1, CPU_COUNT(&cpus));
  return std::max(1u, std::thread::hardware_concurrency());
}

#elif defined(__APPLE__)

void name_this_thread(const char* name) { pthread_setname_np(name); }

void let_others_go_on_at_wakeup() {}

uint32_t this_thread_number() {
  uint64_t number = 0;
  pthread_threadid_np(nullptr, &number);
  return static_cast<uint32_t>(number);
}

int processors_of_this_process() { return std::max(1u, std::thread::hardware_concurrency()); }

#else
#error "tinytf knows Linux and macOS: add what this system calls these things"
#endif

}  // namespace tinytf

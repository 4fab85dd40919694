#include "services/platform.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <thread>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace tinytf {

namespace {

#if defined(__linux__)
constexpr clockid_t kCoarseSteady = CLOCK_MONOTONIC_COARSE;
#elif defined(__APPLE__)
constexpr clockid_t kCoarseSteady =
    CLOCK_MONOTONIC_RAW_APPROX;  // the steady clock of macOS, too, counts time while the system sleeps
#else
#error "tinytf supports Linux and macOS: add the names that this system uses"
#endif

}  // namespace

std::chrono::steady_clock::time_point coarse_steady_now() {
  timespec now{};
  clock_gettime(kCoarseSteady, &now);
  const auto passed = std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
  return std::chrono::steady_clock::time_point(std::chrono::duration_cast<std::chrono::steady_clock::duration>(passed));
}

std::string host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "";
}

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

#endif

}  // namespace tinytf

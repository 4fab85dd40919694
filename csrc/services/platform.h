#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

// Functions that operating systems implement differently.

namespace tinytf {

inline constexpr size_t kThreadNameBytes = 16;  // Linux's limit, including the terminating zero

/// Names the calling thread for debuggers and process lists.
void name_this_thread(const char* name);

/// Asks the scheduler not to preempt another thread when the calling thread wakes up. The system may ignore it.
void let_others_go_on_at_wakeup();

/// The system's id of the calling thread.
uint32_t this_thread_number();

/// Reads the steady clock, up to some milliseconds late but several times cheaper.
std::chrono::steady_clock::time_point coarse_steady_now();

/// Number of processors that this process may use, at least 1.
int processors_of_this_process();

/// The machine's host name, or an empty string if the system does not provide it.
std::string host_name();

}  // namespace tinytf

#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

// What systems spell differently.

namespace tinytf {

inline constexpr size_t kThreadNameBytes = 16;  // as long as Linux lets names be, with the zero at the end

/// For debuggers and lists of processes.
void name_this_thread(const char* name);

/// When the calling thread wakes up, it does not push another off its processor. A wish, which the system may ignore.
void let_others_go_on_at_wakeup();

/// The system's number for the calling thread.
uint32_t this_thread_number();

/// The steady clock, some milliseconds behind but several times cheaper to read.
std::chrono::steady_clock::time_point coarse_steady_now();

/// Processors that this process may use; at least 1.
int processors_of_this_process();

/// What the machine is called; '' if the system does not tell.
std::string host_name();

}  // namespace tinytf

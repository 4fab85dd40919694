#pragma once

#include <sys/wait.h>
#include <unistd.h>

namespace tinytf {
namespace testing {

/// ThreadSanitizer confuses a new thread of a forked child with the parent's thread on the same stack, and ends the
/// child.
#ifdef __SANITIZE_THREAD__
constexpr bool kChildrenStartThreads = false;
#else
constexpr bool kChildrenStartThreads = true;
#endif

/// Whether `body` returns true in a forked child.
template <class Body>
bool holds_in_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    _exit(body() ? 7 : 1);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7;
}

}  // namespace testing
}  // namespace tinytf

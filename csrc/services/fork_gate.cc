#include "services/fork_gate.h"

#include <pthread.h>

#include <condition_variable>
#include <mutex>
#include <new>

namespace tinytf {

namespace {

std::mutex mutex;
std::condition_variable changed;  // `closed_` or `inside_`; each change of one is followed by a look at the other

}  // namespace

const bool ForkGate::watching_ = ForkGate::watch_forks();

bool ForkGate::watch_forks() { return pthread_atfork(&before_fork, &after_fork_in_parent, &after_fork_in_child) == 0; }

void ForkGate::wait_outside(int passes) noexcept {
  std::unique_lock lock(mutex);
  inside_.fetch_sub(passes);
  changed.notify_all();
  changed.wait(lock, [] { return !closed_.load(); });
  inside_.fetch_add(passes);
}

void ForkGate::tell() noexcept {
  std::lock_guard lock(mutex);
  changed.notify_all();
}

void ForkGate::before_fork() {
  std::unique_lock lock(mutex);
  closed_.store(true);
  changed.wait_for(lock, patience_, [] { return inside_.load() == depth_; });
  lock.release();  // held across the fork, so that both processes find it consistent
}

void ForkGate::after_fork_in_parent() {
  closed_.store(false);
  mutex.unlock();
  changed.notify_all();
}

void ForkGate::after_fork_in_child() {
  generation_.fetch_add(1);
  inside_.store(depth_);
  new (&changed) std::condition_variable;  // its copy lists the parent's waiting threads, which do not exist here
  closed_.store(false);
  mutex.unlock();
}

}  // namespace tinytf

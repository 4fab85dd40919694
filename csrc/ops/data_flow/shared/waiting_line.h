#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <mutex>
#include <utility>

#include "op/async_kernel.h"
#include "op/guarded.h"
#include "op/kernel.h"
#include "services/fork_renewal.h"

namespace tinytf::ops {

/// Session state whose operations may wait for one another without blocking a thread. `Use` is one operation; it has
///   KernelContext* ctx; AsyncKernel::Done done; Status status;
/// and whatever the state needs for itself.
///
/// Thread-safe. `done` is called exactly once, without the lock, possibly on a thread that performs another operation
/// or cancels a step. The caller keeps the state alive until then; a waiting use also keeps it alive through its
/// callback at the step.
template <class Use>
class WaitingLine : public Resource {
 public:
  ~WaitingLine() override {
    // The steps of waiting uses keep this object alive. Uses that are still here have lost their step; only `done` may
    // be accessed.
    forget_uses_of_parent();
    for (Waiting& waiting : line_) waiting.use.done(cancelled());
  }

 protected:
  /// `cancelled` is the error message of a cancelled use.
  explicit WaitingLine(const char* cancelled) : cancelled_(cancelled) {}

  // Called with the lock held.
  /// Checks a new use before it waits or is served; an error ends it.
  virtual Status arrive(Use& /*use*/) { return Status(); }
  /// Performs the use, or sets an error in its status. Returns false if it must wait; then nothing has changed.
  virtual bool serve(Use& use) = 0;
  /// A bit that identifies a line: a use is not served while an earlier use with the same bit waits. 0: the use waits
  /// for no other.
  virtual uint32_t turn(const Use& use) const = 0;

  /// Called without the lock: sets the outputs of a use that was served successfully.
  virtual Status hand_out(Use& use) = 0;
  /// Called with the lock held if hand_out failed: returns to the state whatever the use took. Must not allocate
  /// memory.
  virtual void take_back(Use& /*use*/) noexcept {}

  /// Performs the use now, or when other operations have made it possible. If it throws, the use was not performed and
  /// never will be.
  void submit(Use use) {
    Line finished;
    bool is_done = true;
    {
      const std::lock_guard lock(mutex_);
      forget_uses_of_parent();
      use.status = use.ctx->cancelled() ? cancelled() : arrive(use);
      if (use.status.ok()) {
        if (is_held_up(use) || !serve_guarded(use)) {
          is_done = false;
          wait_or_give_up(std::move(use), finished);
        } else {
          serve_line(finished);
        }
      }
    }
    deliver(finished);
    if (is_done) deliver(use);  // last, as the state may end with it
  }

  /// Calls change() under the lock, then serves the uses that it has made possible.
  template <class Change>
  void change_and_serve(Change&& change) {
    Line finished;
    {
      const std::lock_guard lock(mutex_);
      forget_uses_of_parent();
      change();
      serve_line(finished);
    }
    deliver(finished);
  }

  mutable std::mutex mutex_;

 private:
  struct Waiting {
    explicit Waiting(Use waiting) : use(std::move(waiting)) {}
    Use use;
    bool registered = false;  ///< whether `token` is valid
    Cancellation::Token token = 0;
  };
  using Line = std::list<Waiting>;

  Status cancelled() const { return Status(Code::kCancelled, cancelled_); }

  bool is_held_up(const Use& use) const {
    const uint32_t own = turn(use);
    return own != 0 &&
           std::any_of(line_.begin(), line_.end(), [&](const Waiting& before) { return turn(before.use) == own; });
  }

  /// An exception in one use, for example for lack of memory, must not unwind the step of another use that serves it.
  bool serve_guarded(Use& use) {
    bool is_done = false;
    Status status = guarded([&] {
      is_done = serve(use);
      return Status();
    });
    if (status.ok()) return is_done;
    use.status = std::move(status);
    return true;
  }

  /// Repeats until there is no progress, because each served use may make an earlier one possible.
  void serve_line(Line& finished) {
    for (bool progress = true; progress;) {
      progress = false;
      uint32_t held_up = 0;  // bits of the lines with a waiting use
      for (auto next = line_.begin(); next != line_.end();) {
        const auto waiting = next++;
        const uint32_t own = turn(waiting->use);
        if ((held_up & own) != 0 || !serve_guarded(waiting->use)) {
          held_up |= own;
          continue;
        }
        finished.splice(finished.end(), line_, waiting);
        progress = true;
      }
    }
  }

  void wait_or_give_up(Use use, Line& finished) {
    Cancellation& step = *use.ctx->step().cancellation;
    line_.emplace_back(std::move(use));
    Waiting& last = line_.back();
    // The callback takes the lock, which is held here, so that it cannot see the use before its token is set.
    const Status status = guarded([&] {
      last.registered = step.on_cancel(
          &last.token, [self = RefPtr<WaitingLine>::share(this), waiting = &last] { self->give_up(waiting); });
      return Status();
    });
    if (last.registered) return;
    last.use.status = status.ok() ? cancelled() : status;
    finished.splice(finished.end(), line_, std::prev(line_.end()));
  }

  void give_up(const Waiting* given_up) {
    Line finished;
    {
      const std::lock_guard lock(mutex_);
      forget_uses_of_parent();
      const auto found = std::find_if(line_.begin(), line_.end(), [=](const Waiting& w) { return &w == given_up; });
      if (found == line_.end()) return;  // completed meanwhile
      found->use.status = cancelled();
      finished.splice(finished.end(), line_, found);
      serve_line(finished);  // serves the uses that waited behind it
    }
    deliver(finished);
  }

  /// In a forked child process, drops the uses of steps that exist only in the parent, without calling `done`.
  void forget_uses_of_parent() {
    renewal_.run_if_due([this] { line_.clear(); });
  }

  void deliver(Line& finished) {
    for (Waiting& waiting : finished) {  // more uses may be appended meanwhile
      if (waiting.registered) waiting.use.ctx->step().cancellation->remove(waiting.token);
      set_outputs(waiting.use, finished);
      end(waiting.use);
    }
  }
  void deliver(Use& use) {
    Line others;
    set_outputs(use, others);
    deliver(others);
    end(use);
  }
  /// If hand_out fails, the use gives back what it took, and uses that this makes possible go to `others`.
  void set_outputs(Use& use, Line& others) {
    if (!use.status.ok()) return;
    use.status = guarded([&] { return hand_out(use); });
    if (use.status.ok()) return;
    const std::lock_guard lock(mutex_);
    take_back(use);
    serve_line(others);
  }
  static void end(Use& use) {
    const AsyncKernel::Done done = std::move(use.done);
    Status status = std::move(use.status);
    {
      const Use ended = std::move(use);
    }  // the values are released before `done`, which may end the step
    done(std::move(status));
  }

  const char* const cancelled_;
  Line line_;  // under the mutex
  ForkRenewal renewal_;
};

}  // namespace tinytf::ops

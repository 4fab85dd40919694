#pragma once

#include <algorithm>
#include <cstdint>
#include <list>
#include <mutex>
#include <utility>

#include "op/guarded.h"
#include "op/kernel.h"
#include "services/fork_renewal.h"

namespace tinytf::ops {

/// State of a session whose users wait for one another, holding no thread. `Use` is one use of it, until it is done:
///   KernelContext* ctx; AsyncKernel::Done done; Status status;
/// and what the state needs for itself.
///
/// Thread-safe. `done` is called exactly once, without the lock, maybe on a thread that does another use or cancels a
/// step. Who hands in a use keeps the state alive until then; what waits also does so by its callback at the step.
template <class Use>
class WaitingLine : public Resource {
 public:
  ~WaitingLine() override {
    // The step of what waits keeps this alive; of uses that are found here there is no more than `done`.
    forget_uses_of_parent();
    for (Waiting& waiting : line_) waiting.use.done(cancelled());
  }

 protected:
  /// `cancelled`: what a use ends with that is given up.
  explicit WaitingLine(const char* cancelled) : cancelled_(cancelled) {}

  // Called with the lock held.
  /// A look at a use that has just come, whoever waits before it: an error is what it ends with.
  virtual Status arrive(Use& /*use*/) { return Status(); }
  /// Does the use, or says why not in its status; false if it must wait, and then nothing has changed.
  virtual bool serve(Use& use) = 0;
  /// A bit: of uses that have the same one, none is done while one that came before it waits. 0: it waits for nobody.
  virtual uint32_t turn(const Use& use) const = 0;

  /// Called without the lock: sets outputs of a use that was done well.
  virtual Status hand_out(Use& use) = 0;
  /// Called with the lock held when that failed: what the use took is there again. Needs no memory.
  virtual void take_back(Use& /*use*/) noexcept {}

  /// Does the use now, or when others have made that possible. Where it throws the use was not done, nor ever will be.
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
    if (is_done) deliver(use);  // last: the state may end with it
  }

  /// change() under the lock, then those are done for whom it made a difference.
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
    bool registered = false;  ///< `token` is valid
    Cancellation::Token token = 0;
  };
  using Line = std::list<Waiting>;

  Status cancelled() const { return Status(Code::kCancelled, cancelled_); }

  bool is_held_up(const Use& use) const {
    const uint32_t own = turn(use);
    return own != 0 &&
           std::any_of(line_.begin(), line_.end(), [&](const Waiting& before) { return turn(before.use) == own; });
  }

  /// What one use has no memory for must not unwind the step of another that serves it.
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

  /// Each that is done may make it possible to do one before it.
  void serve_line(Line& finished) {
    for (bool progress = true; progress;) {
      progress = false;
      uint32_t held_up = 0;  // turns in which somebody waits
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
    // The callback takes the lock, which is held here: it cannot see the use before its token is known.
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
      if (found == line_.end()) return;  // done meanwhile
      found->use.status = cancelled();
      finished.splice(finished.end(), line_, found);
      serve_line(finished);  // those that it held up
    }
    deliver(finished);
  }

  /// In a forked child: what waits in steps that do not exist here ends without a word.
  void forget_uses_of_parent() {
    renewal_.run_if_due([this] { line_.clear(); });
  }

  void deliver(Line& finished) {
    for (Waiting& waiting : finished) {  // others may join behind
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
  /// What a use that fails takes back may be for `others`.
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
    }  // its values go while their step is there, which may end with it
    done(std::move(status));
  }

  const char* const cancelled_;
  Line line_;  // under the mutex
  ForkRenewal renewal_;
};

}  // namespace tinytf::ops

#pragma once

// Kernels that wait, and their completion.

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

#include "op/async_kernel.h"
#include "op/kernel.h"

namespace tinytf {
namespace testing {

/// Kernels of a test's steps wait here until they are released or their step is cancelled. Thread-safe; must outlive
/// the steps.
class WaitingRoom {
 public:
  /// Waits until this many kernels have arrived, whether or not they have left since.
  void wait_for_entries(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return entries_ >= count; });
  }
  /// Completes the kernel that has waited longest, on this thread: it outputs its input, unless `status` is an error.
  /// False if no kernel waits.
  bool let_out(Status status = Status()) {
    std::list<Visit> out;
    {
      std::lock_guard lock(mutex_);
      if (waiting_.empty()) return false;
      out.splice(out.end(), waiting_, waiting_.begin());
    }
    Visit& visit = out.front();
    visit.ctx->step().cancellation->remove(visit.token);
    if (status.ok()) visit.ctx->set_output(0, visit.ctx->input(0));
    visit.done(std::move(status));
    return true;
  }
  int cancelled() const {
    std::lock_guard lock(mutex_);
    return cancelled_;
  }

  void enter(KernelContext& ctx, AsyncKernel::Done done) {
    {
      std::lock_guard lock(mutex_);
      const int number = ++entries_;
      Cancellation::Token token = 0;
      if (ctx.step().cancellation->on_cancel(&token, [this, number] { cancel(number); })) {
        waiting_.push_back({number, token, &ctx, std::move(done)});
        changed_.notify_all();
        return;
      }
      ++cancelled_;
      changed_.notify_all();
    }
    done(Status(Code::kCancelled, "turned away"));
  }

 private:
  struct Visit {
    int number;
    Cancellation::Token token;
    KernelContext* ctx;
    AsyncKernel::Done done;
  };

  void cancel(int number) {
    std::list<Visit> out;
    {
      std::lock_guard lock(mutex_);
      for (auto visit = waiting_.begin(); visit != waiting_.end(); ++visit) {
        if (visit->number != number) continue;
        out.splice(out.end(), waiting_, visit);
        ++cancelled_;
        break;
      }
    }
    for (Visit& visit : out) visit.done(Status(Code::kCancelled, "sent away"));
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int entries_ = 0;
  int cancelled_ = 0;
  std::list<Visit> waiting_;
};

/// An Identity that waits in a room.
class WaitingKernel final : public AsyncKernel {
 public:
  explicit WaitingKernel(WaitingRoom& room) : room_(room) {}
  void compute_async(KernelContext& ctx, Done done) override { room_.enter(ctx, std::move(done)); }

 private:
  WaitingRoom& room_;
};

}  // namespace testing
}  // namespace tinytf

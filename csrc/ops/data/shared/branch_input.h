#pragma once

#include <condition_variable>
#include <mutex>
#include <new>
#include <utility>

#include "base/function_ref.h"
#include "ops/data/shared/dataset_kernel.h"
#include "services/fork_renewal.h"

namespace tinytf::ops {

/// The iterator whose elements several branches get in turn. A branch may still pull in the background when its turn is
/// over. Thread-safe.
class BranchInput final : public RefCounted {
 public:
  explicit BranchInput(IteratorPtr input) : input_(std::move(input)) {}

  /// Begins the next turn, and returns its number. Turns before get nothing more.
  int64_t begin_turn();
  /// The next element for the branch of a turn. Pending also as long as a branch before is inside a pull.
  Result<Pulled> pull(PullContext& ctx, int64_t turn, Element& element);
  /// Calls use(input) while no branch pulls. Fails if the step is over before.
  Status use_alone(IteratorContext& ctx, FunctionRef<Status(data::Iterator&)> use);

 private:
  /// The iterator is used while this lives.
  class Use {
   public:
    explicit Use(BranchInput& input) : input_(input) {}
    ~Use() { input_.end_use(); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    BranchInput& input_;
  };

  void renew_if_forked() noexcept;
  bool begin_use();
  void end_use();

  const IteratorPtr input_;  // Used by the thread that set is_used_.
  std::mutex mutex_;         // Guards the members below. Held briefly, and together with no other lock.
  std::condition_variable free_;
  int64_t turn_ = 0;
  bool is_used_ = false;
  RefPtr<data::Waker> waiting_;  // For the end of the use.
  Status broken_;
  ForkRenewal renewal_;
};

}  // namespace tinytf::ops

#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/ref_ptr.h"
#include "op/kernel.h"
#include "runtime/eager/eager_library.h"

namespace tinytf {

/// An op with its attrs and input types, ready to run on values; cached by eager execution. Immutable, except for what
/// it learns about its cost. As thread-safe as kernels are.
class EagerKernel final : public RefCounted {
 public:
  /// `node` has name, op, attrs and input types; `group_sizes` and errors are as for complete_node. Unimplemented for
  /// ops with references to variables, which exist only in graphs.
  static Result<RefPtr<EagerKernel>> make(NodeInfo node, const std::vector<int>& group_sizes);

  const NodeInfo& node() const { return node_; }
  Kernel& kernel() const { return *kernel_; }
  int num_inputs() const { return static_cast<int>(node_.inputs.size()); }
  int num_outputs() const { return static_cast<int>(node_.outputs.size()); }
  /// For each declared output: the length of the list, or -1 for a tensor.
  const std::vector<int>& output_groups() const { return output_groups_; }
  /// A stateless operation may be skipped if its outputs are not needed.
  bool is_stateless() const { return !node_.op->is_stateful; }

  /// Whether the kernel is asynchronous (AsyncKernel).
  bool waits() const { return waits_; }

  /// Whether the kernel calls functions of the eager library.
  bool calls_functions() const { return calls_functions_; }
  /// The function of this name that the kernel's attrs name; null if there was none when the kernel was made.
  EagerFunction* function(const std::string& name) const;
  /// Whether an attr names a function that is not in the library, or no longer. Other kernels with the same attrs may
  /// then call other functions.
  bool is_outdated() const { return calls_functions_ && lacks_functions(); }

  /// Whether a variable or another resource is among the inputs.
  bool takes_state() const { return takes_state_; }

  /// Whether the kernel runs so briefly for inputs of this size that releasing the host's lock does not pay. A kernel
  /// that shares state with other steps, such as a queue or a reader, is never brief: it may wait for a mutex of that
  /// state, and the thread that holds the mutex for the host's lock. Nor is one that calls functions.
  bool is_brief(int64_t input_bytes) const {
    return !waits_ && !shares_state_ && !calls_functions_ && input_bytes <= kBriefBytes &&
           !yields_much_.load(std::memory_order_relaxed);
  }
  void note_output(int64_t bytes) {
    if (bytes > kBriefBytes) yields_much_.store(true, std::memory_order_relaxed);
  }

 private:
  static constexpr int64_t kBriefBytes = 32 << 10;

  explicit EagerKernel(NodeInfo node) : node_(std::move(node)) {}
  void find_functions();
  bool lacks_functions() const;

  const NodeInfo node_;
  std::vector<int> output_groups_;
  std::unique_ptr<Kernel> kernel_;
  bool waits_ = false;
  bool takes_state_ = false;
  bool shares_state_ = false;
  bool calls_functions_ = false;
  bool names_missing_ = false;  // An attr names a function that was not in the library.
  std::vector<RefPtr<EagerFunction>> functions_;
  std::atomic<bool> yields_much_{false};
};

}  // namespace tinytf

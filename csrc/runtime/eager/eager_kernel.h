#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "base/ref_ptr.h"
#include "op/kernel.h"

namespace tinytf {

/// An op with its attrs and input types, ready to run on values: what eager execution caches. Immutable but for what it
/// learns of its own cost. Thread-safe as kernels are.
class EagerKernel final : public RefCounted {
 public:
  /// `node` holds name, op, attrs and input types; `group_sizes` as for complete_node, whose errors it gives too.
  /// Unimplemented for ops that take or yield references to variables, as they exist in graphs only.
  static Result<RefPtr<EagerKernel>> make(NodeInfo node, const std::vector<int>& group_sizes);

  const NodeInfo& node() const { return node_; }
  Kernel& kernel() const { return *kernel_; }
  int num_inputs() const { return static_cast<int>(node_.inputs.size()); }
  int num_outputs() const { return static_cast<int>(node_.outputs.size()); }
  /// For each declared output: the length of the list, or -1 for a tensor.
  const std::vector<int>& output_groups() const { return output_groups_; }
  /// May be dropped if nobody wants its outputs.
  bool is_stateless() const { return !node_.op->is_stateful; }

  /// Whether it may hold no thread while it waits (AsyncKernel).
  bool waits() const { return waits_; }

  /// Whether a variable or another resource is among its inputs.
  bool takes_state() const { return takes_state_; }

  /// Whether it is over so soon for inputs of so many bytes that letting other threads run meanwhile does not pay.
  bool is_brief(int64_t input_bytes) const {
    return !waits_ && input_bytes <= kBriefBytes && !yields_much_.load(std::memory_order_relaxed);
  }
  void note_output(int64_t bytes) {
    if (bytes > kBriefBytes) yields_much_.store(true, std::memory_order_relaxed);
  }

 private:
  static constexpr int64_t kBriefBytes = 32 << 10;

  explicit EagerKernel(NodeInfo node) : node_(std::move(node)) {}

  const NodeInfo node_;
  std::vector<int> output_groups_;
  std::unique_ptr<Kernel> kernel_;
  bool waits_ = false;
  bool takes_state_ = false;
  std::atomic<bool> yields_much_{false};
};

}  // namespace tinytf

#pragma once

#include <string>
#include <vector>

#include "handles/async_queue.h"
#include "runtime/eager/eager_context.h"

namespace tinytf {

/// An operation in the queue of an asynchronous session.
class EagerNode final : public AsyncQueue::Node {
 public:
  /// An input: a value, or a pending one.
  struct Input {
    Tensor value;
    RefPtr<AsyncValue> pending;
  };

  /// `name`: what the program called the operation, for errors. `source`: the queue that the node is for; may be null.
  /// The handles of pending inputs must be live.
  EagerNode(RefPtr<EagerContext> context, RefPtr<EagerKernel> kernel, std::vector<Input> inputs, std::string name,
            const RefPtr<ValueSource>& source = nullptr);

  const std::vector<RefPtr<AsyncValue>>& outputs() const { return outputs_; }

  Status run() override;
  void abandon(const Status& status) override;
  bool wanted() const override;
  RefPtr<AsyncValue> awaited() const override;

 private:
  Status run_unguarded();
  void let_inputs_go();

  const RefPtr<EagerContext> context_;
  const RefPtr<EagerKernel> kernel_;
  std::vector<Input> inputs_;
  std::vector<RefPtr<AsyncValue>> outputs_;
  const std::string name_;
};

/// Adds the op, and the name if the program gave one, to the message, as TensorFlow does.
Status of_operation(const Status& status, const std::string& op, const std::string& name);

}  // namespace tinytf

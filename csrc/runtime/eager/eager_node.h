#pragma once

#include <string>
#include <vector>

#include "runtime/eager/eager_context.h"
#include "session/async_queue.h"

namespace tinytf {

/// An operation of an asynchronous session.
class EagerNode final : public AsyncQueue::Node {
 public:
  /// An input: a value, or one that is still to come.
  struct Input {
    Tensor value;
    RefPtr<AsyncValue> pending;
  };

  /// `name` is what the program called the operation; for errors. The handles of pending inputs must be live.
  /// `source`: the queue that it is for; may be null.
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

/// The message with the op, and the name that the program gave if it gave one, as TensorFlow adds them.
Status of_operation(const Status& status, const std::string& op, const std::string& name);

}  // namespace tinytf

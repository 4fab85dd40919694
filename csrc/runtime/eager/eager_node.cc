#include "runtime/eager/eager_node.h"

#include <algorithm>

#include "op/guarded.h"

namespace tinytf {

Status of_operation(const Status& status, const std::string& op, const std::string& name) {
  std::string message = str_cat(status.message(), " [Op:", op, "]");
  if (!name.empty()) message += str_cat(" name: ", name);
  return Status(status.code(), std::move(message));
}

EagerNode::EagerNode(RefPtr<EagerContext> context, RefPtr<EagerKernel> kernel, std::vector<Input> inputs,
                     std::string name, const RefPtr<ValueSource>& source)
    : context_(std::move(context)), kernel_(std::move(kernel)), inputs_(std::move(inputs)), name_(std::move(name)) {
  for (const Input& input : inputs_) {
    if (input.pending) input.pending->want();
  }
  for (int i = 0; i < kernel_->num_outputs(); ++i) outputs_.push_back(make_ref<AsyncValue>(source));
}

void EagerNode::let_inputs_go() {
  for (const Input& input : inputs_) {
    if (input.pending) input.pending->unwant();
  }
  inputs_.clear();
}

Status EagerNode::run() {
  return guarded([this] { return run_unguarded(); });
}

Status EagerNode::run_unguarded() {
  EagerCall call(*kernel_);
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].pending) {
      TINYTF_RETURN_IF_ERROR(inputs_[i].pending->wait());
      call.input(static_cast<int>(i)) = inputs_[i].pending->value();
    } else {
      call.input(static_cast<int>(i)) = std::move(inputs_[i].value);
    }
  }
  let_inputs_go();
  const Status status = context_->run(*kernel_, call, nullptr);
  if (!status.ok()) return of_operation(status, kernel_->node().op->name, name_);
  for (size_t i = 0; i < outputs_.size(); ++i) outputs_[i]->set(std::move(call.output(static_cast<int>(i))));
  return Status();
}

void EagerNode::abandon(const Status& status) {
  let_inputs_go();
  for (const RefPtr<AsyncValue>& output : outputs_) output->fail(status);
}

RefPtr<AsyncValue> EagerNode::awaited() const {
  for (const Input& input : inputs_) {
    if (input.pending && !input.pending->done()) return input.pending;
  }
  return nullptr;
}

bool EagerNode::wanted() const {
  return !kernel_->is_stateless() ||
         std::any_of(outputs_.begin(), outputs_.end(), [](const auto& output) { return output->wanted(); });
}

}  // namespace tinytf

#include "ops/state/shared/held_memory.h"

#include <mutex>

namespace tinytf::ops {

namespace {

/// Memory of a held value. The variable refers to it until the variable is changed.
class HeldMemory final : public Buffer {
 public:
  explicit HeldMemory(Tensor value) : Buffer(value.raw(), value.buffer()->size(), false), value_(std::move(value)) {}

  bool is_charged_to(const Allocator& allocator) const override { return value_.buffer()->is_charged_to(allocator); }
  bool charge_contents() override { return value_.buffer()->charge_contents(); }
  /// The tensor in the original memory.
  const Tensor& value() const { return value_; }

 private:
  const Tensor value_;
};

}  // namespace

Tensor hold_value(RefVariable& variable) {
  const std::lock_guard lock(variable.mutex);
  Tensor& tensor = variable.tensor;
  if (tensor.buffer() && tensor.buffer()->writable()) {
    RefPtr<Buffer> held = make_ref<HeldMemory>(tensor);
    tensor = Tensor(tensor.dtype(), tensor.shape(), std::move(held));
  }
  return tensor;
}

Result<Tensor> memory_to_change(RefVariable& variable, bool locked, Allocator& allocator, Change change) {
  std::unique_lock lock(variable.mutex, std::defer_lock);
  if (!locked) lock.lock();
  Tensor& tensor = variable.tensor;
  if (!tensor.buffer() || tensor.buffer()->writable()) return tensor;
  const auto* held = dynamic_cast<const HeldMemory*>(tensor.buffer().get());
  if (held != nullptr && tensor.buffer()->unique()) {
    tensor = held->value().reshaped(tensor.shape());
  } else if (change == Change::kNothing) {
    TINYTF_ASSIGN_OR_RETURN(tensor, Tensor::allocate(allocator, tensor.dtype(), tensor.shape()));
  } else {
    TINYTF_ASSIGN_OR_RETURN(tensor, tensor.clone(allocator));
  }
  return tensor;
}

}  // namespace tinytf::ops

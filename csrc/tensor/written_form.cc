#include "tensor/written_form.h"

namespace tinytf {

namespace {

/// Memory of another buffer, with the form in which its contents are serialized.
class FormedBuffer final : public Buffer {
 public:
  FormedBuffer(void* data, RefPtr<Buffer> memory, WrittenForm form)
      : Buffer(data, memory->size(), memory->writable()), memory_(std::move(memory)), form_(form) {}

  bool is_charged_to(const Allocator& allocator) const override { return memory_->is_charged_to(allocator); }
  bool charge_contents() override { return memory_->charge_contents(); }

  const WrittenForm& form() const { return form_; }

 private:
  const RefPtr<Buffer> memory_;
  const WrittenForm form_;
};

}  // namespace

Tensor in_form(Tensor value, WrittenForm form) {
  return Tensor(value.dtype(), value.shape(), make_ref<FormedBuffer>(value.raw(), value.buffer(), form));
}

const WrittenForm* written_form(const Tensor& value) {
  const auto* formed = dynamic_cast<const FormedBuffer*>(value.buffer().get());
  return formed != nullptr ? &formed->form() : nullptr;
}

}  // namespace tinytf

#include "op/kernel.h"

#include <condition_variable>

namespace tinytf {

Result<Tensor*> KernelContext::allocate_output(int i, const Shape& shape) {
  TINYTF_ASSIGN_OR_RETURN(outputs_[i].tensor, Tensor::allocate(*step_.allocator, node_.outputs[i].dtype, shape));
  return &outputs_[i].tensor;
}

bool KernelContext::can_forward(int from, DType dtype, int64_t elements) const {
  if (from >= 64 || ((last_use_ >> from) & 1) == 0) return false;  // last_use_ says nothing of inputs beyond its bits
  const Tensor& candidate = input(from);
  return candidate.dtype() == dtype && candidate.writable_in_place() && candidate.num_elements() == elements;
}

Result<Tensor*> KernelContext::forward_or_allocate(int from, int i, const Shape& shape) {
  if (!can_forward(from, node_.outputs[i].dtype, shape.num_elements())) return allocate_output(i, shape);
  const Tensor& shared = input(from);  // its slot is cleared after the kernel
  outputs_[i].tensor = shared.shape() == shape ? shared : shared.reshaped(shape);
  return &outputs_[i].tensor;
}

Status AsyncKernel::compute(KernelContext& ctx) {
  std::mutex mutex;
  std::condition_variable changed;
  bool finished = false;
  Status result;
  compute_async(ctx, [&](Status status) {
    std::lock_guard lock(mutex);
    result = std::move(status);
    finished = true;
    changed.notify_one();
  });
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return finished; });
  return result;
}

}  // namespace tinytf

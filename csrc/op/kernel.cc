#include "op/kernel.h"

#include "services/thread_pool.h"

namespace tinytf {

Result<Tensor*> KernelContext::allocate_output(int i, const Shape& shape) {
  if (Tensor* before = output_before(i, shape)) return before;
  TINYTF_ASSIGN_OR_RETURN(outputs_[i].tensor, Tensor::allocate(*step_.allocator, node_.outputs[i].dtype, shape));
  return &outputs_[i].tensor;
}

bool KernelContext::can_forward(int from, DType dtype, int64_t elements) const {
  if (from >= 64 || ((last_use_ >> from) & 1) == 0) return false;  // last_use_ covers only the first 64 inputs
  const Tensor& candidate = input(from);
  return candidate.dtype() == dtype && candidate.writable_in_place() && candidate.num_elements() == elements;
}

Result<Tensor*> KernelContext::forward_or_allocate(int from, int i, const Shape& shape) {
  if (shape.rank() == 0) {
    if (Tensor* before = scalar_before(i)) return before;
  }
  if (!can_forward(from, node_.outputs[i].dtype, shape.num_elements())) return allocate_output(i, shape);
  const Tensor& shared = input(from);  // its slot is cleared after the kernel has run
  outputs_[i].tensor = shared.shape() == shape ? shared : shared.reshaped(shape);
  return &outputs_[i].tensor;
}

bool KernelContext::is_over() const { return step_.stop_check != nullptr ? step_.stop_check->is_over() : cancelled(); }

}  // namespace tinytf

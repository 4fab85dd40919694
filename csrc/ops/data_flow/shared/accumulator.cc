#include "ops/data_flow/shared/accumulator.h"

#include <utility>

#include "base/wrapping.h"

namespace tinytf::ops {

namespace {

template <class T, class Compute>
void update(Tensor& sum, int64_t begin, int64_t n, Compute compute) {
  T* values = sum.data<T>() + begin;
  for (int64_t i = 0; i < n; ++i) values[i] = compute(values[i], i);
}

}  // namespace

void add_elements(Tensor& sum, int64_t begin, const Tensor& tensor, int64_t more_begin, int64_t n) {
  switch (sum.dtype()) {
    case DType::kFloat:
      return update<float>(sum, begin, n,
                           [more = tensor.data<float>() + more_begin](float x, int64_t i) { return x + more[i]; });
    case DType::kDouble:
      return update<double>(sum, begin, n,
                            [more = tensor.data<double>() + more_begin](double x, int64_t i) { return x + more[i]; });
    default:
      return update<Half>(sum, begin, n, [more = tensor.data<Half>() + more_begin](Half x, int64_t i) {
        return Half(static_cast<float>(x) + static_cast<float>(more[i]));
      });
  }
}

void divide_elements(Tensor& sum, int64_t begin, int64_t n, int64_t by) {
  switch (sum.dtype()) {
    case DType::kFloat:
      return update<float>(sum, begin, n, [by = static_cast<float>(by)](float x, int64_t) { return x / by; });
    case DType::kDouble:
      return update<double>(sum, begin, n, [by = static_cast<double>(by)](double x, int64_t) { return x / by; });
    default:
      return update<Half>(sum, begin, n, [by = static_cast<float>(Half(static_cast<float>(by)))](Half x, int64_t) {
        return Half(static_cast<float>(x) / by);
      });
  }
}

bool Accumulator::serve(GradientTake& use) {
  if (count_ == 0 || count_ < use.required) return false;
  use.status = yield(use, count_);
  if (!use.status.ok()) return true;
  count_ = 0;
  global_step_ = wrapping_add<int64_t>(global_step_, 1);
  return true;
}

void Accumulator::set_global_step(int64_t step) {
  const std::lock_guard lock(mutex_);
  global_step_ = step;
}

int64_t Accumulator::count() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

Status DenseAccumulator::check_shape(const Shape& shape) const {
  const auto misfit = [&shape](const std::string& expected) {
    return invalid_argument("Shape mismatch: expected ", expected, ", got ", shape.to_string());
  };
  if (!is_empty() && !(sum_.shape() == shape)) return misfit(sum_.shape().to_string());
  return shape_.merge(PartialShape(shape)).ok() ? Status() : misfit(shape_.to_string());
}

Status DenseAccumulator::apply(const KernelContext& ctx, int64_t step, const Tensor& gradient) {
  return add_gradient(step, [&]() -> Status {
    TINYTF_RETURN_IF_ERROR(check_shape(gradient.shape()));
    if (is_empty()) {
      TINYTF_ASSIGN_OR_RETURN(sum_, gradient.clone(ctx.allocator()));
    } else {
      add_elements(sum_, 0, gradient, 0, gradient.num_elements());
    }
    return Status();
  });
}

Status DenseAccumulator::yield(GradientTake& use, int64_t count) {
  if (takes_mean_) divide_elements(sum_, 0, sum_.num_elements(), count);
  use.sum = std::exchange(sum_, Tensor());
  return Status();
}

Status DenseAccumulator::hand_out(GradientTake& use) {
  use.ctx->set_output(0, std::move(use.sum));
  return Status();
}

}  // namespace tinytf::ops

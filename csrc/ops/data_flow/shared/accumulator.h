#pragma once

#include <string>
#include <vector>

#include "op/async_kernel.h"
#include "ops/data_flow/shared/waiting_line.h"
#include "tensor/partial_shape.h"

namespace tinytf::ops {

/// A request to take the result of `required` gradients from an accumulator.
struct GradientTake {
  KernelContext* ctx;
  AsyncKernel::Done done;
  int64_t required;
  Status status{};
  std::vector<int64_t> indices{};  ///< indices of the rows of `sum`; for sparse gradients only
  Tensor sum{};
};

/// Adds up gradients, each computed at a step, until enough are there to be taken as their mean or their sum. Gradients
/// of steps before the global step are dropped; each take increments the global step. Takes are served in order.
///
/// Thread-safe.
class Accumulator : public WaitingLine<GradientTake> {
 public:
  static constexpr const char* kTypeName = "N10tensorflow26ConditionalAccumulatorBaseE";
  static constexpr const char* kRegistryType = kTypeName;
  static constexpr const char* kNoun = "conditional accumulator";

  DType dtype() const { return dtype_; }
  bool is_sparse() const { return is_sparse_; }
  /// Sets the node's outputs to the mean or the sum once enough gradients are there, and resets the accumulator.
  void take(GradientTake use) { submit(std::move(use)); }
  void set_global_step(int64_t step);
  int64_t count() const;

 protected:
  /// Gradients have dtype float, double or half, and are compatible with `shape`.
  Accumulator(std::string name, DType dtype, PartialShape shape, bool takes_mean, bool is_sparse)
      : WaitingLine("TakeGrad operation was cancelled"),
        name_(std::move(name)),
        dtype_(dtype),
        is_sparse_(is_sparse),
        takes_mean_(takes_mean),
        shape_(std::move(shape)) {}

  /// Calls add() with the lock held, unless the step of the gradient is before the global step.
  template <class Add>
  Status add_gradient(int64_t step, Add&& add) {
    Status status;
    change_and_serve([&] {
      if (step < global_step_) return;
      status = guarded(add);
      if (status.ok()) ++count_;
    });
    return status;
  }

  // Called with the lock held.
  bool is_empty() const { return count_ == 0; }
  /// Moves the result of `count` gradients to `use`, leaving the accumulator empty; if it fails, nothing changes.
  virtual Status yield(GradientTake& use, int64_t count) = 0;

  const std::string name_;
  const DType dtype_;
  const bool is_sparse_;
  const bool takes_mean_;
  const PartialShape shape_;

 private:
  bool serve(GradientTake& use) override;
  uint32_t turn(const GradientTake& /*use*/) const override { return 1; }

  int64_t count_ = 0;  // guarded by the mutex, like global_step_
  int64_t global_step_ = 0;
};

/// An accumulator of dense gradients with equal shapes.
class DenseAccumulator final : public Accumulator {
 public:
  static constexpr bool kIsSparse = false;

  DenseAccumulator(std::string name, DType dtype, PartialShape shape, bool takes_mean)
      : Accumulator(std::move(name), dtype, std::move(shape), takes_mean, kIsSparse) {}

  /// Adds the gradient of a step, or drops it if it is too old. InvalidArgument if its shape does not fit.
  Status apply(const KernelContext& ctx, int64_t step, const Tensor& gradient);
  std::string debug_string() const override { return "ConditionalAccumulator '" + name_ + "'"; }

 private:
  Status check_shape(const Shape& shape) const;
  Status yield(GradientTake& use, int64_t count) override;
  Status hand_out(GradientTake& use) override;

  Tensor sum_;  // valid if there are gradients; not shared
};

/// Adds to the elements [begin, begin + n) of a sum the elements of `more` from `more_begin` on.
void add_elements(Tensor& sum, int64_t begin, const Tensor& more, int64_t more_begin, int64_t n);
void divide_elements(Tensor& sum, int64_t begin, int64_t n, int64_t by);

}  // namespace tinytf::ops

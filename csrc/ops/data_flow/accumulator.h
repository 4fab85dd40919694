#pragma once

#include <list>
#include <mutex>
#include <string>

#include "op/kernel.h"
#include "services/fork_renewal.h"
#include "tensor/partial_shape.h"

namespace tinytf::ops {

/// A sum of gradients, each of a step, that is taken when there are enough of them. What is older than the global step,
/// which each taking raises by one, is dropped. Takings are served in turn; one that waits holds no thread.
///
/// Thread-safe. A context handed in must keep the accumulator alive until `done` was called, which happens exactly
/// once, maybe on a thread that applies a gradient or cancels a step.
class Accumulator : public Resource {
 public:
  static constexpr const char* kTypeName = "N10tensorflow26ConditionalAccumulatorBaseE";
  static constexpr const char* kRegistryType = kTypeName;
  static constexpr const char* kNoun = "conditional accumulator";
  using Done = AsyncKernel::Done;

  /// Gradients are float, double or half and fit `shape`. What is taken is their mean, or their sum.
  Accumulator(std::string name, DType dtype, PartialShape shape, bool takes_mean)
      : name_(std::move(name)), dtype_(dtype), shape_(std::move(shape)), takes_mean_(takes_mean) {}
  ~Accumulator() override;

  DType dtype() const { return dtype_; }
  /// Adds the gradient of a step, or drops it. InvalidArgument if its shape does not fit.
  Status apply(KernelContext& ctx, int64_t step, const Tensor& gradient);
  /// Sets output 0 to what came of `required` gradients at least, and begins anew.
  void take(KernelContext& ctx, int64_t required, Done done);
  void set_global_step(int64_t step);
  int64_t count() const;
  std::string debug_string() const override { return "ConditionalAccumulator '" + name_ + "'"; }

 private:
  /// One taking, until it is done.
  struct Attempt {
    KernelContext* ctx;
    int64_t required;
    Done done;
    Status status;
    Tensor result;
    bool registered = false;  ///< `token` is valid
    Cancellation::Token token = 0;
  };
  using Line = std::list<Attempt>;

  Status check_shape(const Shape& shape) const;
  void serve(Line& finished);
  void cancel(const Attempt* attempt);
  void forget_attempts_of_parent();
  static void deliver(Line& finished);

  const std::string name_;
  const DType dtype_;
  const PartialShape shape_;
  const bool takes_mean_;

  mutable std::mutex mutex_;
  Tensor sum_;  // valid if count_ > 0, and nobody else's
  int64_t count_ = 0;
  int64_t global_step_ = 0;
  Line line_;
  ForkRenewal renewal_;
};

}  // namespace tinytf::ops

#pragma once

#include <mutex>

#include "kernels/random.h"
#include "op/kernel.h"
#include "op/kernel_state.h"
#include "op/shape_context.h"

namespace tinytf::ops {

/// The random stream of one kernel object, made from its attrs `seed` and `seed2`. Thread-safe.
class Generator {
 public:
  explicit Generator(KernelInit& init)
      : philox_(kernels::Philox::from_seeds(init.attr<int64_t>("seed"), init.attr<int64_t>("seed2"))) {}

  /// The stream from here on, for one execution that consumes at most `calls` calls of it.
  kernels::Philox reserve(uint64_t calls) {
    std::lock_guard lock(mutex_);
    const kernels::Philox from_here = philox_;
    philox_.skip(calls);
    return from_here;
  }
  /// The same for a fill of `n` elements.
  kernels::Philox reserve_elements(int64_t n) { return reserve(static_cast<uint64_t>(n) * kernels::kPhiloxReserved); }

  RandomStateHolder::State state() const {
    std::lock_guard lock(mutex_);
    const auto& [counter, key] = philox_;
    return {counter[0], counter[1], counter[2], counter[3], key[0], key[1]};
  }
  void set_state(const RandomStateHolder::State& state) {
    std::lock_guard lock(mutex_);
    philox_ = {{state[0], state[1], state[2], state[3]}, {state[4], state[5]}};
  }

 private:
  mutable std::mutex mutex_;
  kernels::Philox philox_;
};

/// Base of kernels that draw from a stream of their own.
class GeneratorKernel : public Kernel, public RandomStateHolder {
 public:
  explicit GeneratorKernel(KernelInit& init) : generator_(init) {}
  State random_state() const final { return generator_.state(); }
  void set_random_state(const State& state) final { generator_.set_state(state); }

 protected:
  Generator generator_;
};

/// The stream that the value of a `seed` input [2] stands for.
Result<kernels::Philox> stateless_generator(const Tensor& seed);

/// A shape given as an int32 or int64 vector.
Result<Shape> shape_from(const Tensor& dims);

/// Output 0 has the shape that input 0 holds.
Status random_shape(ShapeContext& c);
/// The same; input 1 is the seed of a stateless op.
Status stateless_random_shape(ShapeContext& c);

}  // namespace tinytf::ops

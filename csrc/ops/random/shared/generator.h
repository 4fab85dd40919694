#pragma once

#include <mutex>

#include "kernels/random.h"
#include "op/kernel.h"
#include "op/kernel_state.h"
#include "op/shape_context.h"

namespace tinytf::ops {

/// The random stream of one kernel object, seeded by its attrs `seed` and `seed2`. Thread-safe.
class Generator {
 public:
  explicit Generator(KernelInit& init)
      : philox_(kernels::Philox::from_seeds(init.attr<int64_t>("seed"), init.attr<int64_t>("seed2"))) {}

  /// Reserves a part of the stream for one execution that makes at most `calls` calls of the generator.
  kernels::Philox reserve(uint64_t calls) {
    std::lock_guard lock(mutex_);
    const kernels::Philox from_here = philox_;
    philox_.skip(calls);
    return from_here;
  }
  /// Reserves a part of the stream for `n` elements.
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

/// Base class of kernels that have their own random stream.
class GeneratorKernel : public Kernel, public RandomStateHolder {
 public:
  explicit GeneratorKernel(KernelInit& init) : generator_(init) {}
  State random_state() const final { return generator_.state(); }
  void set_random_state(const State& state) final { generator_.set_state(state); }

 protected:
  Generator generator_;
};

/// The stream for the value of a `seed` input [2].
Result<kernels::Philox> stateless_generator(const Tensor& seed);

/// The shape given by an int32 or int64 vector.
Result<Shape> shape_from(const Tensor& dims);

/// Shape function: output 0 has the shape held by input 0.
Status random_shape(ShapeContext& c);
/// The same for stateless ops, whose input 1 is the seed.
Status stateless_random_shape(ShapeContext& c);

}  // namespace tinytf::ops

#pragma once

#include <cstdint>
#include <mutex>
#include <string_view>

#include "base/parallel.h"
#include "op/node_info.h"
#include "op/node_observer.h"
#include "services/cancellation.h"
#include "services/resource_manager.h"
#include "tensor/partial_shape.h"
#include "tensor/tensor.h"

namespace tinytf {

/// Storage of a reference variable. Kernels that receive it by reference lock `mutex` around changes of `tensor`.
struct RefVariable {
  std::mutex mutex;
  Tensor tensor;          ///< invalid until the first assignment
  PartialShape declared;  ///< shape that a validated first assignment must match
};

/// The value on an edge: a tensor, or a reference to a variable. The variable is owned by a kernel or by the step's
/// resources and outlives every kernel call of the step.
struct Slot {
  Tensor tensor;
  RefVariable* ref = nullptr;
};

class BackgroundHost;
class FunctionRunner;
class LoopStopCheck;

/// Services that a step lends to its kernels. They outlive every kernel call of the step.
struct KernelServices {
  Allocator* allocator = nullptr;
  Parallel* parallel = nullptr;
  ResourceManager* resources = nullptr;       ///< owned by the session
  ResourceManager* step_resources = nullptr;  ///< destroyed at the end of the step
  Cancellation* cancellation = nullptr;
  NodeObserver* observer = nullptr;      ///< called for every node of the step; may be null
  FunctionRunner* functions = nullptr;   ///< runs the graph's functions; null outside a step
  LoopStopCheck* stop_check = nullptr;   ///< tells whether the step is over; null: `cancellation` does
  BackgroundHost* background = nullptr;  ///< the session, for work outside steps; null outside a session
  int64_t step_id = 0;
  bool stacks_rows = false;  ///< Whether a function is called with stacked arguments; see Kernel::maps_rows.
};

/// A kernel's view of one execution of its node. Lives until the kernel has ended (for an AsyncKernel, until it called
/// `done`). Used by one thread at a time.
class KernelContext {
 public:
  /// `input_slots[i]` is the index of input i in `slots`. Bit i of `last_use` is set if no node reads input i
  /// afterwards.
  KernelContext(const NodeInfo& node, const KernelServices& step, Slot* slots, const int32_t* input_slots,
                Slot* outputs, uint64_t last_use)
      : node_(node), step_(step), slots_(slots), input_slots_(input_slots), outputs_(outputs), last_use_(last_use) {}

  const NodeInfo& node() const { return node_; }
  const KernelServices& step() const { return step_; }
  Allocator& allocator() const { return *step_.allocator; }
  Parallel& parallel() const { return *step_.parallel; }
  int num_inputs() const { return static_cast<int>(node_.inputs.size()); }
  int num_outputs() const { return static_cast<int>(node_.outputs.size()); }

  const Tensor& input(int i) const { return slots_[input_slots_[i]].tensor; }
  /// The variable behind a reference input.
  RefVariable& ref_input(int i) const { return *slots_[input_slots_[i]].ref; }

  /// Allocates output i with its declared dtype and undefined contents. In a loop, it reuses the memory of the previous
  /// iteration if nothing else refers to it.
  Result<Tensor*> allocate_output(int i, const Shape& shape);
  /// The value of output i in the previous iteration, to be overwritten, if it has this shape and is the only owner of
  /// its memory; else null.
  Tensor* output_before(int i, const Shape& shape) {
    Tensor& before = outputs_[i].tensor;
    return is_own(before, node_.outputs[i].dtype) && before.shape() == shape ? &before : nullptr;
  }
  /// As output_before, for a scalar.
  Tensor* scalar_before(int i) {
    Tensor& before = outputs_[i].tensor;
    return is_own(before, node_.outputs[i].dtype) && before.rank() == 0 ? &before : nullptr;
  }
  /// Allocates scratch memory.
  Result<Tensor> allocate(DType dtype, const Shape& shape) const {
    return Tensor::allocate(*step_.allocator, dtype, shape);
  }
  /// Returns output i in the buffer of input `from` if this node is its last reader, the buffer has no other owner, and
  /// dtype and element count match; else allocates like allocate_output. The input stays readable; after forwarding, it
  /// shares its memory with the output. A scalar in a loop reuses its memory of the previous iteration instead.
  Result<Tensor*> forward_or_allocate(int from, int i, const Shape& shape);
  /// Whether forward_or_allocate(from, …) would reuse input `from`.
  bool can_forward(int from, DType dtype, int64_t elements) const;

  void set_output(int i, Tensor value) { outputs_[i].tensor = std::move(value); }
  /// Forwards a variable reference (Assign and similar ops).
  void set_ref_output(int i, RefVariable* variable) { outputs_[i].ref = variable; }
  Slot& output(int i) { return outputs_[i]; }
  const Slot& output(int i) const { return outputs_[i]; }
  /// The variable behind input i; null if the input is a value.
  RefVariable* input_variable(int i) const { return slots_[input_slots_[i]].ref; }

  bool cancelled() const { return step_.cancellation->cancelled(); }
  /// As cancelled(), but on the step's own thread it first checks for Ctrl-C and the time limit. Kernels that work long
  /// outside the loops of `parallel()` call it now and then. It takes some nanoseconds, but may run signal handlers, so
  /// the caller must not hold a lock.
  bool is_over() const;

 private:
  /// Whether the tensor has this dtype and is the only owner of its memory.
  static bool is_own(const Tensor& tensor, DType dtype) {
    return tensor.writable_in_place() && tensor.dtype() == dtype && !is_object(dtype) &&
           tensor.raw() == tensor.buffer()->data();
  }

  const NodeInfo& node_;
  const KernelServices& step_;
  Slot* slots_;
  const int32_t* input_slots_;
  Slot* outputs_;
  uint64_t last_use_;
};

/// Provides the attrs during the construction of a kernel and keeps the first failure.
class KernelInit {
 public:
  explicit KernelInit(const NodeInfo& node) : node_(node) {}
  const NodeInfo& node() const { return node_; }
  DType input_type(int i) const { return node_.inputs[i].dtype; }
  DType output_type(int i) const { return node_.outputs[i].dtype; }

  template <class T>
  T attr(std::string_view name) {
    if (const T* value = node_.attrs.get<T>(name)) return *value;
    fail(invalid_argument("No attr named '", name, "' of the expected kind in NodeDef of ", node_.name));
    return T();
  }
  /// An attr that TensorFlow stores in 32 bits; fails if it is out of range.
  int32_t int32_attr(std::string_view name) {
    const auto value = attr<int64_t>(name);
    fail(check_int32_attr(name, value));
    return static_cast<int32_t>(value);
  }
  void fail(Status status) {
    if (status_.ok()) status_ = std::move(status);
  }
  const Status& status() const { return status_; }

 private:
  const NodeInfo& node_;
  Status status_;
};

/// Computes one node. There is one object per node and session for stateful ops, else one per node and plan. Several
/// steps may call `compute` concurrently, so state needs a lock. `compute` must not wait for another node's work:
/// kernels that wait derive from AsyncKernel.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual Status compute(KernelContext& ctx) = 0;
  virtual bool is_async() const { return false; }
  /// Called before the first `compute` if input `i` is the same constant in all calls. Never called for kernels of
  /// stateful ops.
  virtual void note_constant_input(int /*i*/) {}
  /// Whether the kernel, in a step that `stacks_rows`, takes values of its first input that are stacked along a new
  /// first dimension, and stacks its outputs in the same way. If it fails for one of the rows, the call fails. This is
  /// not asked of kernels with an ElementwiseLoop, whose rows are elements.
  virtual bool maps_rows() const { return false; }
};

}  // namespace tinytf

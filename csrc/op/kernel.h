#pragma once

#include <cstdint>
#include <functional>
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
  PartialShape declared;  ///< what a validated first assignment must fit
};

/// What flows along an edge: a value, or a reference to a variable's storage. The variable is owned by a kernel or by
/// the step's resources and outlives the step.
struct Slot {
  Tensor tensor;
  RefVariable* ref = nullptr;
};

class FunctionRunner;
class LoopWatch;

/// What a step lends to its kernels. Outlives every kernel call of the step.
struct StepServices {
  Allocator* allocator = nullptr;
  Parallel* parallel = nullptr;
  ResourceManager* resources = nullptr;       ///< the session's
  ResourceManager* step_resources = nullptr;  ///< destroyed at the end of the step
  Cancellation* cancellation = nullptr;
  NodeObserver* observer = nullptr;     ///< sees every node of the step, else null
  FunctionRunner* functions = nullptr;  ///< of the session's graph; null where no step runs
  LoopWatch* watch = nullptr;           ///< whether the step is over; null: as `cancellation` says
  int64_t step_id = 0;
};

/// A kernel's view of one execution. Lives until the kernel has ended (an AsyncKernel's: until it called `done`); used
/// by one thread at a time.
class KernelContext {
 public:
  /// `input_slots[i]` is the index in `slots` of input i; bit i of `last_use` says that nobody reads it after this
  /// node.
  KernelContext(const NodeInfo& node, const StepServices& step, Slot* slots, const int32_t* input_slots, Slot* outputs,
                uint64_t last_use)
      : node_(node), step_(step), slots_(slots), input_slots_(input_slots), outputs_(outputs), last_use_(last_use) {}

  const NodeInfo& node() const { return node_; }
  const StepServices& step() const { return step_; }
  Allocator& allocator() const { return *step_.allocator; }
  Parallel& parallel() const { return *step_.parallel; }
  int num_inputs() const { return static_cast<int>(node_.inputs.size()); }
  int num_outputs() const { return static_cast<int>(node_.outputs.size()); }

  const Tensor& input(int i) const { return slots_[input_slots_[i]].tensor; }
  /// The variable behind a reference input.
  RefVariable& ref_input(int i) const { return *slots_[input_slots_[i]].ref; }

  /// Memory for output i, of the output's declared type, with undefined contents: new, or in a loop that of the
  /// iteration before if nobody else has it.
  Result<Tensor*> allocate_output(int i, const Shape& shape);
  /// What output i was in the iteration before, to be written again, if it is its own, of this shape, and nobody kept
  /// it; else null.
  Tensor* output_before(int i, const Shape& shape) {
    Tensor& before = outputs_[i].tensor;
    return is_own(before, node_.outputs[i].dtype) && before.shape() == shape ? &before : nullptr;
  }
  /// The same for a scalar.
  Tensor* scalar_before(int i) {
    Tensor& before = outputs_[i].tensor;
    return is_own(before, node_.outputs[i].dtype) && before.rank() == 0 ? &before : nullptr;
  }
  /// Scratch memory.
  Result<Tensor> allocate(DType dtype, const Shape& shape) const {
    return Tensor::allocate(*step_.allocator, dtype, shape);
  }
  /// Output i in the buffer of input `from` if this node is its last reader, nobody else owns it, and type and element
  /// count fit; else as allocate_output. The input stays readable either way: then it is the output. A scalar in a loop
  /// rather has its own memory.
  Result<Tensor*> forward_or_allocate(int from, int i, const Shape& shape);
  /// Whether forward_or_allocate(from, …) would reuse input `from`.
  bool can_forward(int from, DType dtype, int64_t elements) const;

  void set_output(int i, Tensor value) { outputs_[i].tensor = std::move(value); }
  /// Passes a reference on (Assign and friends).
  void set_ref_output(int i, RefVariable* variable) { outputs_[i].ref = variable; }
  Slot& output(int i) { return outputs_[i]; }
  const Slot& output(int i) const { return outputs_[i]; }
  /// Null for inputs that are values.
  RefVariable* input_variable(int i) const { return slots_[input_slots_[i]].ref; }

  bool cancelled() const { return step_.cancellation->cancelled(); }
  /// The same, which on the step's own thread looks for Ctrl-C and the time limit first: what a kernel asks now and
  /// then that takes long beside the loops of `parallel()`. Some nanoseconds, but handlers of signals may run: without
  /// a lock.
  bool is_over() const;

 private:
  /// Whether it has memory of that type to itself.
  static bool is_own(const Tensor& tensor, DType dtype) {
    return tensor.writable_in_place() && tensor.dtype() == dtype && !is_object(dtype) &&
           tensor.raw() == tensor.buffer()->data();
  }

  const NodeInfo& node_;
  const StepServices& step_;
  Slot* slots_;
  const int32_t* input_slots_;
  Slot* outputs_;
  uint64_t last_use_;
};

/// Collects a kernel's attrs while it is constructed; the first failure is kept.
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
  /// An attr that TensorFlow keeps in 32 bits.
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

/// Computes one node. One object per node and session (stateful ops) or per plan (others); `compute` may be called by
/// many steps at one time, so state needs its own lock. It must not block on another node's work: kernels that wait
/// derive from AsyncKernel.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual Status compute(KernelContext& ctx) = 0;
  virtual bool is_async() const { return false; }
  /// Says, before the first call, that input `i` is the same constant in all calls. Never said of a stateful op's
  /// kernel.
  virtual void note_constant_input(int /*i*/) {}
};

/// A kernel that may finish later, on another thread, holding no thread meanwhile. It registers with the step's
/// Cancellation so that it ends soon after a cancel. `done` is called exactly once; the context lives until then.
class AsyncKernel : public Kernel {
 public:
  using Done = std::function<void(Status)>;
  bool is_async() const final { return true; }
  /// Runs to the end on the calling thread (constant folding, tests).
  Status compute(KernelContext& ctx) final;
  virtual void compute_async(KernelContext& ctx, Done done) = 0;
};

}  // namespace tinytf

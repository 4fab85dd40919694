#pragma once

#include <atomic>
#include <mutex>
#include <string>
#include <utility>

#include "op/async_kernel.h"
#include "op/common_shapes.h"
#include "op/kernel.h"
#include "ops/state/shared/resource_name.h"

/// State that lives in the session under a name: queues, readers, barriers, accumulators. Kernels serve two generations
/// of handles alike:
///   - a resource, which keeps the state alive;
///   - in early graphs, a reference to a string vector [container, name], by which the session finds the state.
/// A state class declares its names: kTypeName in handles, kRegistryType in the session, kNoun in messages.
namespace tinytf::ops {

/// The state behind input i, or null with an error in `status`. A resource is kept alive by the context; state that the
/// session found by name is kept alive by `found`.
template <class State>
State* input_state(const KernelContext& ctx, int i, RefPtr<Resource>* found, Status* status) {
  if (ctx.node().inputs[static_cast<size_t>(i)].dtype == DType::kResource) {
    const Tensor& handles = ctx.input(i);
    if (handles.num_elements() == 0) {
      *status =
          invalid_argument("The handle of a ", State::kNoun, " must be a scalar, not ", handles.shape().to_string());
      return nullptr;
    }
    const ResourceHandle& handle = *handles.data<ResourceHandle>();
    if (handle.resource && handle.type_name == State::kTypeName) return static_cast<State*>(handle.resource.get());
    *status = invalid_argument("Trying to access resource using the wrong type. Expected ", State::kTypeName, " got ",
                               handle.type_name);
    return nullptr;
  }
  std::string container, name;
  {
    RefVariable& variable = ctx.ref_input(i);
    std::lock_guard lock(variable.mutex);
    const Tensor& texts = variable.tensor;
    if (!texts.valid() || texts.num_elements() != 2) {
      *status = invalid_argument("Resource handle must have 2 elements, but had shape: ",
                                 texts.valid() ? texts.shape().to_string() : "<unknown>");
      return nullptr;
    }
    container = texts.data<std::string>()[0];
    name = texts.data<std::string>()[1];
  }
  Result<RefPtr<Resource>> kept = ctx.step().resources->find(container, State::kRegistryType, name);
  if (!kept.ok()) {
    *status = kept.status();
    return nullptr;
  }
  *found = kept.take();
  return static_cast<State*>(found->get());
}

/// Wraps `done` so that `kept`, unless it is null, lives until `done` has been called.
inline AsyncKernel::Done keeping(RefPtr<Resource> kept, AsyncKernel::Done done) {
  if (!kept) return done;
  return [kept = std::move(kept), done = std::move(done)](Status status) { done(std::move(status)); };
}

/// A reference to a string handle, owned by the kernel that outputs it.
class HandleReference {
 public:
  Status set(KernelContext& ctx, int i, const std::string& container, const std::string& name) {
    {
      std::lock_guard lock(variable_.mutex);
      TINYTF_ASSIGN_OR_RETURN(variable_.tensor, Tensor::allocate(Allocator::process(), DType::kString, Shape({2})));
      auto* texts = variable_.tensor.data<std::string>();
      texts[0] = container;
      texts[1] = name;
    }
    ctx.set_ref_output(i, &variable_);
    return Status();
  }
  /// Outputs the reference; set() must have been called.
  void yield(KernelContext& ctx, int i) { ctx.set_ref_output(i, &variable_); }

 private:
  RefVariable variable_;
};

/// Kernel of an op that creates the state, or finds existing state with its shared name, and outputs the handle. The
/// handle is built once; the handle and the state live as long as the session. `Maker` reads the node's attrs when it
/// is constructed, and has
///   using State = …;
///   static constexpr ResourceName::Unnamed kUnnamed = …;  // the name if there is no shared name
///   RefPtr<Resource> make(const std::string& name) const;
///   Status check(State& found) const;  // whether the node may share it
template <class Maker>
class NamedStateKernel final : public Kernel {
  using State = typename Maker::State;

 public:
  explicit NamedStateKernel(KernelInit& init) : where_(init, Maker::kUnnamed), maker_(init) {}

  Status compute(KernelContext& ctx) override {
    if (!ready_.load(std::memory_order_acquire)) TINYTF_RETURN_IF_ERROR(make_handle(ctx));
    if (ctx.node().outputs[0].is_ref) {
      reference_.yield(ctx, 0);
    } else {
      ctx.set_output(0, handle_);
    }
    return Status();
  }

 private:
  Status make_handle(KernelContext& ctx) {
    std::lock_guard lock(mutex_);
    if (ready_.load(std::memory_order_relaxed)) return Status();
    TINYTF_ASSIGN_OR_RETURN(RefPtr<Resource> found,
                            ctx.step().resources->find_or_create(
                                where_.container, State::kRegistryType, where_.name,
                                [this]() -> Result<RefPtr<Resource>> { return maker_.make(where_.name); }));
    TINYTF_RETURN_IF_ERROR(maker_.check(static_cast<State&>(*found)));
    if (ctx.node().outputs[0].is_ref) {
      TINYTF_RETURN_IF_ERROR(reference_.set(ctx, 0, where_.container, where_.name));
    } else {
      TINYTF_ASSIGN_OR_RETURN(handle_, Tensor::allocate(Allocator::process(), DType::kResource, Shape()));
      *handle_.data<ResourceHandle>() = {where_.container, where_.name, State::kTypeName, std::move(found)};
    }
    ready_.store(true, std::memory_order_release);
    return Status();
  }

  const ResourceName where_;
  const Maker maker_;
  std::mutex mutex_;
  std::atomic<bool> ready_{false};
  Tensor handle_;
  HandleReference reference_;
};

/// Shape function: output 0 is a string handle.
inline Status text_handle_shape(ShapeContext& c) {
  c.set_output(0, PartialShape({2}));
  return Status();
}

/// Checks that input i is a string handle; the error has TensorFlow's text.
inline Status check_text_handle(const ShapeContext& c, int i) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(i, 1));
  const int64_t size = c.input(i).dim(0);
  return size == kUnknownDim || size == 2 ? Status() : invalid_argument("Dimension must be 2 but is ", size);
}

/// Shape function: all inputs are string handles, all outputs scalars.
inline Status text_handles_to_scalars(ShapeContext& c) {
  for (int i = 0; i < c.num_inputs(); ++i) TINYTF_RETURN_IF_ERROR(check_text_handle(c, i));
  return shapes::scalar(c);
}

/// Shape function: all inputs and outputs are scalars.
inline Status scalars_to_scalars(ShapeContext& c) {
  for (int i = 0; i < c.num_inputs(); ++i) TINYTF_RETURN_IF_ERROR(c.with_rank(i, 0));
  return shapes::scalar(c);
}

}  // namespace tinytf::ops

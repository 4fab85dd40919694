#include "ops/state/variable.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>

#include "op/kernel_state.h"
#include "op/registration.h"
#include "ops/state/shared/held_memory.h"
#include "ops/state/shared/resource_name.h"
#include "tensor/registry_type.h"

namespace tinytf::ops {

std::string Variable::debug_string() const {
  const Tensor now = value();
  return str_cat(dtype_name(dtype_), "/", now.valid() ? now.shape().to_string() : "<uninitialized>");
}

Tensor Variable::value() const {
  std::lock_guard lock(mutex_);
  return tensor_;
}

Status Variable::unset(ResourceManager& resources, const ResourceHandle& handle) {
  Tensor doomed;  // released after the mutex
  std::lock_guard lock(mutex_);
  std::swap(doomed, tensor_);
  return resources.remove(handle.container, kRegistryType, handle.name);
}

namespace {
const ResourceHandle no_handle;
}

const ResourceHandle& input_handle(const KernelContext& ctx, int i) {
  const Tensor& handles = ctx.input(i);
  return handles.num_elements() > 0 ? *handles.data<ResourceHandle>() : no_handle;
}

Status Variable::own_memory(Allocator& allocator) {
  if (tensor_.writable_in_place()) return Status();
  TINYTF_ASSIGN_OR_RETURN(tensor_, tensor_.clone(allocator));
  return Status();
}

Result<Variable*> input_variable(const KernelContext& ctx, int i) {
  const ResourceHandle& handle = input_handle(ctx, i);
  if (handle.resource && handle.type_name == Variable::kTypeName) return static_cast<Variable*>(handle.resource.get());
  return invalid_argument("Trying to access resource using the wrong type. Expected ", Variable::kTypeName, " got ",
                          handle.type_name);
}

Status variable_missing(const KernelContext& ctx, const ResourceHandle& handle) {
  auto found = ctx.step().resources->find(handle.container, Variable::kRegistryType, handle.name);
  if (!found.ok()) return found.status();
  return not_found("Resource ", handle.container, "/", handle.name, "/", Variable::kRegistryType, " does not exist.");
}

Status VariableRead::open(const KernelContext& ctx, int i, DType dtype) {
  TINYTF_ASSIGN_OR_RETURN(const Variable* variable, input_variable(ctx, i));
  value_ = variable->value();
  if (!value_.valid()) return variable_missing(ctx, input_handle(ctx, i));
  if (value_.dtype() == dtype) return Status();
  return invalid_argument("Trying to read variable with wrong dtype. Expected ", dtype_name(dtype), " got ",
                          dtype_name(value_.dtype()));
}

Result<const HandleInfo*> variable_info(const ShapeContext& c, int i, const char* dtype_attr) {
  const HandleInfo* info = c.input_handle(i);
  if (info == nullptr || info->dtype == c.attr<DType>(dtype_attr)) return info;
  return invalid_argument("Trying to read variable with wrong dtype. Expected ", dtype_name(info->dtype), " got ",
                          dtype_name(c.attr<DType>(dtype_attr)));
}

namespace {

/// Makes a variable with a value available for lookup by name.
Status make_visible(ResourceManager& resources, const ResourceHandle& handle) {
  return resources
      .find_or_create(handle.container, Variable::kRegistryType, handle.name,
                      [&]() -> Result<RefPtr<Resource>> { return handle.resource; })
      .status();
}

}  // namespace

Status Variable::check_type(const Tensor& value) const {
  if (!value.valid() || value.dtype() == dtype_) return Status();
  return invalid_argument("Trying to assign variable with wrong dtype. Expected ", dtype_name(dtype_), " got ",
                          dtype_name(value.dtype()));
}

Status Variable::swap(ResourceManager& resources, const ResourceHandle& handle, Tensor& value) {
  if (!tensor_.valid() && value.valid()) TINYTF_RETURN_IF_ERROR(make_visible(resources, handle));
  std::swap(value, tensor_);
  return Status();
}

Result<Tensor> Variable::exchange(ResourceManager& resources, const ResourceHandle& handle, Tensor value) {
  TINYTF_RETURN_IF_ERROR(check_type(value));
  std::lock_guard lock(mutex_);
  TINYTF_RETURN_IF_ERROR(swap(resources, handle, value));
  return value;
}

Status Variable::initialize(ResourceManager& resources, const ResourceHandle& handle, Tensor value) {
  TINYTF_RETURN_IF_ERROR(check_type(value));
  std::lock_guard lock(mutex_);
  if (tensor_.valid()) return invalid_argument("input is already initialized");
  return swap(resources, handle, value);
}

VariableUpdate::~VariableUpdate() {
  while (locked_ > 0) locks_[--locked_]->unlock();
}

void VariableUpdate::lock_all() {
  std::sort(locks_, locks_ + locked_, std::less<std::mutex*>());
  locked_ = static_cast<int>(std::unique(locks_, locks_ + locked_) - locks_);
  for (int i = 0; i < locked_; ++i) locks_[i]->lock();
}

Status VariableUpdate::open(KernelContext& ctx, int count, DType dtype, bool use_locking) {
  Variable* resources[kMax] = {};
  RefVariable* references[kMax] = {};
  int to_lock = 0;
  for (int i = 0; i < count; ++i) {
    if (ctx.node().inputs[i].is_ref) {
      references[i] = &ctx.ref_input(i);
      tensors_[i] = &references[i]->tensor;
      if (use_locking) locks_[to_lock++] = &references[i]->mutex;
    } else {
      TINYTF_ASSIGN_OR_RETURN(resources[i], input_variable(ctx, i));
      tensors_[i] = &resources[i]->tensor_;
      locks_[to_lock++] = &resources[i]->mutex_;
    }
  }
  locked_ = to_lock;
  lock_all();
  for (int i = 0; i < count; ++i) {
    if (!tensors_[i]->valid()) {
      if (resources[i]) return variable_missing(ctx, input_handle(ctx, i));
      return failed_precondition("Attempting to use uninitialized variables: input ", i, " of ", ctx.node().name);
    }
    if (tensors_[i]->dtype() != dtype) {
      return invalid_argument("Trying to update variable with wrong dtype. Expected ", dtype_name(tensors_[i]->dtype()),
                              " got ", dtype_name(dtype));
    }
    if (resources[i]) {
      TINYTF_RETURN_IF_ERROR(resources[i]->own_memory(ctx.allocator()));
    } else {
      TINYTF_ASSIGN_OR_RETURN(memory_[i], memory_to_change(*references[i], use_locking, ctx.allocator()));
      tensors_[i] = &memory_[i];
    }
  }
  return Status();
}

namespace {

/// The shared_name that requests a handle without a name: to a new variable that no other handle refers to, and that is
/// destroyed with the last copy of the handle.
constexpr const char* kAnonymous = "cd2c89b7-88b7-44c8-ad83-06c2a9158347";

Result<Tensor> handle_to(RefPtr<Resource> variable, const std::string& container, const std::string& name) {
  TINYTF_ASSIGN_OR_RETURN(Tensor handle, Tensor::allocate(Allocator::process(), DType::kResource, Shape()));
  *handle.data<ResourceHandle>() = {container, name, Variable::kTypeName, std::move(variable)};
  return handle;
}

/// Makes a new variable each time it runs. Eager variables use it, so that the session does not keep them.
class AnonymousVarHandleKernel final : public Kernel {
 public:
  explicit AnonymousVarHandleKernel(KernelInit& init)
      : container_(ResourceName(init).container), dtype_(init.attr<DType>("dtype")) {}

  Status compute(KernelContext& ctx) override {
    static std::atomic<int64_t> count{0};
    const std::string name = str_cat("_AnonymousVar", count.fetch_add(1, std::memory_order_relaxed));
    TINYTF_ASSIGN_OR_RETURN(Tensor handle, handle_to(make_ref<Variable>(dtype_), container_, name));
    ctx.set_output(0, std::move(handle));
    return Status();
  }

 private:
  const std::string container_;
  const DType dtype_;
};

/// Builds the handle once. The handle and its variable live as long as the session.
class VarHandleKernel final : public Kernel, public VariableHolder {
 public:
  explicit VarHandleKernel(KernelInit& init) : where_(init), dtype_(init.attr<DType>("dtype")) {}

  Status compute(KernelContext& ctx) override {
    if (!ready_.load(std::memory_order_acquire)) TINYTF_RETURN_IF_ERROR(make_handle(*ctx.step().resources));
    ctx.set_output(0, handle_);
    return Status();
  }

  DType variable_dtype() const override { return dtype_; }

  Result<Tensor> variable_value(ResourceManager& resources) override {
    TINYTF_RETURN_IF_ERROR(make_handle(resources));
    return variable().value();
  }

  Result<Tensor> hold_value(ResourceManager& resources) override { return variable_value(resources); }

  Status set_variable_value(ResourceManager& resources, Tensor value) override {
    TINYTF_RETURN_IF_ERROR(make_handle(resources));
    return variable().exchange(resources, *handle_.data<ResourceHandle>(), std::move(value)).status();
  }

 private:
  Variable& variable() { return static_cast<Variable&>(*handle_.data<ResourceHandle>()->resource); }

  Status make_handle(ResourceManager& resources) {
    std::lock_guard lock(mutex_);
    if (ready_.load(std::memory_order_relaxed)) return Status();
    // Handles share a variable from the start, but only the first assignment makes it visible under its name: until
    // then lookups fail as in TensorFlow.
    auto variable = resources.find_or_create(
        str_cat("handles of ", where_.container), Variable::kRegistryType, where_.name,
        [this]() -> Result<RefPtr<Resource>> { return RefPtr<Resource>(make_ref<Variable>(dtype_)); });
    TINYTF_RETURN_IF_ERROR(variable.status());
    TINYTF_ASSIGN_OR_RETURN(handle_, handle_to(variable.take(), where_.container, where_.name));
    ready_.store(true, std::memory_order_release);
    return Status();
  }

  const ResourceName where_;
  const DType dtype_;
  std::mutex mutex_;
  std::atomic<bool> ready_{false};
  Tensor handle_;
};

std::unique_ptr<Kernel> var_handle_kernel(KernelInit& init) {
  if (init.attr<std::string>("shared_name") == kAnonymous) return std::make_unique<AnonymousVarHandleKernel>(init);
  return std::make_unique<VarHandleKernel>(init);
}

Status handle_shape(ShapeContext& c) {
  c.set_output(0, PartialShape::scalar());
  c.set_output_handle(0, {c.attr<DType>("dtype"), c.attr<PartialShape>("shape")});
  return Status();
}

class VarIsInitializedKernel final : public Kernel {
 public:
  explicit VarIsInitializedKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    TINYTF_ASSIGN_OR_RETURN(const Variable* variable, input_variable(ctx, 0));
    *out->data<bool>() = variable->value().valid();
    return Status();
  }
};

class VariableShapeKernel final : public Kernel {
 public:
  explicit VariableShapeKernel(KernelInit& init) : wide_(init.output_type(0) == DType::kInt64) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const Variable* variable, input_variable(ctx, 0));
    const Tensor value = variable->value();
    if (!value.valid()) return variable_missing(ctx, input_handle(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape({value.rank()})));
    for (int i = 0; i < value.rank(); ++i) {
      if (wide_) {
        out->data<int64_t>()[i] = value.dim(i);
      } else {
        out->data<int32_t>()[i] = static_cast<int32_t>(value.dim(i));
      }
    }
    return Status();
  }

 private:
  const bool wide_;
};

Status variable_shape_shape(ShapeContext& c) {
  const HandleInfo* info = c.input_handle(0);
  const bool known = info != nullptr && info->shape.known_rank();
  c.set_output(0, PartialShape::vector(known ? info->shape.rank() : kUnknownDim));
  return Status();
}

class DestroyResourceKernel final : public Kernel {
 public:
  explicit DestroyResourceKernel(KernelInit& init) : ignore_(init.attr<bool>("ignore_lookup_error")) {}

  Status compute(KernelContext& ctx) override {
    const ResourceHandle& handle = input_handle(ctx, 0);
    ResourceManager& resources = *ctx.step().resources;
    auto variable = input_variable(ctx, 0);
    const Status removed = variable.ok()
                               ? variable.take()->unset(resources, handle)
                               : resources.remove(handle.container, registry_type_of(handle.type_name), handle.name);
    return ignore_ ? Status() : removed;
  }

 private:
  const bool ignore_;
};

}  // namespace

}  // namespace tinytf::ops

TINYTF_OPS(state_variable) {
  using namespace tinytf::ops;
  ops.op("VarHandleOp")
      .output("resource: resource")
      .attr("container: string = ''")
      .attr("shared_name: string = ''")
      .attr("dtype: type")
      .attr("shape: shape")
      .stateful()
      .trait(Trait::kVariable)
      .shape(handle_shape)
      .no_gradient()
      .doc(
          "Returns a handle to the resource variable named by `container` and `shared_name`, which defaults to the "
          "name of the node.");
  kernels.add("VarHandleOp", var_handle_kernel);

  ops.op("VarIsInitializedOp")
      .input("resource: resource")
      .output("is_initialized: bool")
      .stateful()
      .trait(Trait::kReadsResource)
      .shape(shapes::scalar)
      .not_differentiable()
      .doc("Tests whether the resource variable has a value.");
  kernels.add<VarIsInitializedKernel>("VarIsInitializedOp");

  ops.op("VariableShape")
      .input("input: resource")
      .output("output: out_type")
      .attr("out_type: {int32, int64} = DT_INT32")
      .stateful()
      .trait(Trait::kReadsResource)
      .shape(variable_shape_shape)
      .not_differentiable()
      .doc("Returns the shape of the resource variable's value as a vector.");
  kernels.add<VariableShapeKernel>("VariableShape");

  ops.op("DestroyResourceOp")
      .input("resource: resource")
      .attr("ignore_lookup_error: bool = true")
      .stateful()
      .shape(shapes::no_outputs)
      .no_gradient()
      .doc(
          "Deletes the resource. Reading a variable afterwards fails as before its initialization. Fails with NotFound "
          "if the resource does not exist, unless `ignore_lookup_error` is true.");
  kernels.add<DestroyResourceKernel>("DestroyResourceOp");
}

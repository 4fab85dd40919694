#include "op/registration.h"
#include "services/session_store.h"

namespace tinytf::ops {
namespace {

Result<RefPtr<Resource>> session_store(KernelContext& ctx) {
  return ctx.step().resources->find_or_create(
      ResourceManager::kDefaultContainer, SessionStore::kType, SessionStore::kName,
      []() -> Result<RefPtr<Resource>> { return RefPtr<Resource>(make_ref<SessionStore>()); });
}

/// Keeps the value in the session, or a copy if the memory is not owned by this node alone: it may be a fed value or a
/// reference variable, which can change later.
Result<std::string> keep(KernelContext& ctx) {
  const bool is_ours = ctx.can_forward(0, ctx.input(0).dtype(), ctx.input(0).num_elements());
  Tensor value = ctx.input(0);
  if (!is_ours) {
    TINYTF_ASSIGN_OR_RETURN(value, value.clone(ctx.allocator()));
  }
  TINYTF_ASSIGN_OR_RETURN(RefPtr<Resource> store, session_store(ctx));
  return static_cast<SessionStore&>(*store).put(ctx.node().name, ctx.node().device, std::move(value));
}

class GetSessionHandleKernel final : public Kernel {
 public:
  explicit GetSessionHandleKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(std::string handle, keep(ctx));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    *out->data<std::string>() = std::move(handle);
    return Status();
  }
};

Status check_handle(const Tensor& handle) {
  return handle.rank() == 0 ? Status() : invalid_argument("handle must be scalar, not ", handle.shape().to_string());
}

class GetSessionTensorKernel final : public Kernel {
 public:
  explicit GetSessionTensorKernel(KernelInit& init) : dtype_(init.attr<DType>("dtype")) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(check_handle(ctx.input(0)));
    const std::string& handle = *ctx.input(0).data<std::string>();
    TINYTF_ASSIGN_OR_RETURN(RefPtr<Resource> store, session_store(ctx));
    Tensor value = static_cast<SessionStore&>(*store).get(handle);
    if (!value.valid()) {
      return invalid_argument("The tensor with handle '", handle, "' is not in the session store.");
    }
    if (value.dtype() != dtype_) {
      return invalid_argument("The tensor with handle '", handle, "' is of type ", dtype_name(value.dtype()), ", not ",
                              dtype_name(dtype_));
    }
    ctx.set_output(0, std::move(value));
    return Status();
  }

 private:
  const DType dtype_;
};

class DeleteSessionTensorKernel final : public Kernel {
 public:
  explicit DeleteSessionTensorKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(check_handle(ctx.input(0)));
    const std::string& handle = *ctx.input(0).data<std::string>();
    TINYTF_ASSIGN_OR_RETURN(RefPtr<Resource> store, session_store(ctx));
    if (static_cast<SessionStore&>(*store).remove(handle).valid()) return Status();
    return invalid_argument("Failed to delete a tensor with handle '", handle, "' in the session store.");
  }
};

Status scalar_handle(ShapeContext& c) { return c.with_rank(0, 0); }

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_session_handle) {
  using namespace tinytf::ops;
  ops.op("GetSessionHandle")
      .input("value: T")
      .output("handle: string")
      .attr("T: type")
      .stateful()
      .trait(Trait::kSessionHandle)
      .trait(Trait::kReadsExternalState)
      .trait(Trait::kWritesExternalState)
      .shape(tinytf::shapes::scalar)
      .no_gradient()
      .doc("Keeps `value` in the session until it is deleted or the session is closed, and returns a handle to it.");
  kernels.add<GetSessionHandleKernel>("GetSessionHandle");

  ops.op("GetSessionTensor")
      .input("handle: string")
      .output("value: dtype")
      .attr("dtype: type")
      .stateful()
      .trait(Trait::kReadsExternalState)
      .shape(scalar_handle)
      .no_gradient()
      .doc("Returns the tensor that the session keeps under `handle`. Fails with InvalidArgument if there is none.");
  kernels.add<GetSessionTensorKernel>("GetSessionTensor");

  ops.op("DeleteSessionTensor")
      .input("handle: string")
      .stateful()
      .trait(Trait::kWritesExternalState)
      .shape(scalar_handle)
      .no_gradient()
      .doc("Deletes the tensor that the session keeps under `handle`. Fails with InvalidArgument if there is none.");
  kernels.add<DeleteSessionTensorKernel>("DeleteSessionTensor");
}

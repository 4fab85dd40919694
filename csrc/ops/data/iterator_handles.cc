#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/handle_text.h"
#include "ops/data/shared/iterator_input.h"

namespace tinytf::ops {
namespace {

class IteratorToStringKernel final : public Kernel {
 public:
  explicit IteratorToStringKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(iterator_input(ctx, 0).status());
    const ResourceHandle& handle = *ctx.input(0).data<ResourceHandle>();
    std::string text = text_of_handle(handle, ctx.node().device);
    ctx.set_output(0, Tensor::scalar(std::move(text)));
    return Status();
  }
};

/// Finds the iterator of a string handle among the resources of the session.
class IteratorFromStringKernel final : public Kernel {
 public:
  explicit IteratorFromStringKernel(KernelInit& init) : spec_(spec_of(init)) {}

  Status compute(KernelContext& ctx) override {
    const Tensor& text = ctx.input(0);
    if (text.rank() != 0) return invalid_argument("string_handle must be a scalar");
    TINYTF_ASSIGN_OR_RETURN(ResourceHandle handle,
                            handle_of_text(*text.data<std::string>(), data::IteratorResource::kTypeName));
    TINYTF_ASSIGN_OR_RETURN(handle.resource, ctx.step().resources->find(
                                                 handle.container, data::IteratorResource::kRegistryType, handle.name));
    const auto& iterator = static_cast<const data::IteratorResource&>(*handle.resource);
    if (!spec_.types.empty()) TINYTF_RETURN_IF_ERROR(data::check_compatible(spec_, iterator.spec()));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    *out->data<ResourceHandle>() = std::move(handle);
    return Status();
  }

 private:
  const ElementSpec spec_;
};

/// The name of the device of nodes that are not placed.
constexpr const char* kDefaultDevice = "/job:localhost/replica:0/task:0/device:CPU:0";

class IteratorDeviceKernel final : public Kernel {
 public:
  explicit IteratorDeviceKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(iterator_input(ctx, 0).status());
    const std::string& device = ctx.node().device;
    ctx.set_output(0, Tensor::scalar(device.empty() ? std::string(kDefaultDevice) : device));
    return Status();
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_iterator_handles) {
  using namespace tinytf::ops;
  ops.op("IteratorToStringHandle")
      .input("resource_handle: resource")
      .output("string_handle: string")
      .stateful()
      .trait(Trait::kReadsResource)
      .shape(shapes::scalar)
      .no_gradient()
      .doc("Returns the handle as a string, which can be fed.");
  kernels.add<IteratorToStringKernel>("IteratorToStringHandle");

  ops.op("IteratorFromStringHandle")
      .input("string_handle: string")
      .output("resource_handle: resource")
      .attr("output_types: list(type) >= 0 = []")
      .attr("output_shapes: list(shape) >= 0 = []")
      .stateful()
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Returns the handle of an iterator of the session from its string. The iterator must match the declared "
          "spec, if there is one.");
  kernels.add<IteratorFromStringKernel>("IteratorFromStringHandle");

  ops.op("IteratorFromStringHandleV2")
      .input("string_handle: string")
      .output("resource_handle: resource")
      .attr("output_types: list(type) >= 0 = []")
      .attr("output_shapes: list(shape) >= 0 = []")
      .stateful()
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Returns the handle of an iterator of the session from its string. The iterator must match the declared "
          "spec, if there is one.");
  kernels.add<IteratorFromStringKernel>("IteratorFromStringHandleV2");

  const auto declare = [&](const char* name) {
    kernels.add<IteratorDeviceKernel>(name);
    return ops.op(name)
        .input("resource: resource")
        .output("device: string")
        .stateful()
        .trait(Trait::kReadsResource)
        .shape(shapes::scalar)
        .no_gradient();
  };
  declare("IteratorGetDevice").doc("Returns the name of the device of the iterator.");
  declare("ExperimentalIteratorGetDevice").doc("An earlier name of IteratorGetDevice.");
}

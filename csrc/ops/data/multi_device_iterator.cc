#include "op/async_kernel.h"
#include "op/registration.h"
#include "ops/data/shared/handle_text.h"
#include "ops/data/shared/iterator_input.h"
#include "ops/data/shared/multi_device_server.h"
#include "ops/data/shared/resource_input.h"
#include "ops/data_flow/shared/named_state.h"
#include "ops/output_shapes.h"

namespace tinytf::ops {
namespace {

std::vector<std::string> devices_of(KernelInit& init) {
  auto devices = init.attr<std::vector<std::string>>("devices");
  if (devices.empty()) init.fail(invalid_argument("A multi-device iterator needs a device"));
  return devices;
}

struct MultiDeviceMaker {
  using State = MultiDeviceResource;
  static constexpr ResourceName::Unnamed kUnnamed = ResourceName::Unnamed::kNodeName;

  explicit MultiDeviceMaker(KernelInit& init) : spec(spec_of(init)), devices(devices_of(init)) {}
  RefPtr<Resource> make(const std::string&) const { return make_ref<MultiDeviceResource>(spec, devices); }
  Status check(const State& found) const { return data::check_compatible(spec, found.spec()); }

  const ElementSpec spec;
  const std::vector<std::string> devices;
};

class AnonymousMultiDeviceKernel final : public Kernel {
 public:
  explicit AnonymousMultiDeviceKernel(KernelInit& init) : maker_(init) {}
  Status compute(KernelContext& ctx) override {
    return set_anonymous_outputs(ctx, "AnonymousMultiDeviceIterator", MultiDeviceResource::kTypeName, maker_.make(""));
  }

 private:
  const MultiDeviceMaker maker_;
};

/// Ends the pipeline at once; the memory goes with the last handle.
class DeleteMultiDeviceKernel final : public Kernel {
 public:
  explicit DeleteMultiDeviceKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<MultiDeviceResource> iterator, resource_input<MultiDeviceResource>(ctx, 0));
    iterator->stop();
    return Status();
  }
};

class MultiDeviceInitKernel final : public Kernel {
 public:
  explicit MultiDeviceInitKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<const Dataset> dataset, dataset_input(ctx, 0));
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<MultiDeviceResource> iterator, resource_input<MultiDeviceResource>(ctx, 1));
    TINYTF_ASSIGN_OR_RETURN(const int64_t room, scalar_input<int64_t>(ctx, 2, "max_buffer_size"));
    TINYTF_ASSIGN_OR_RETURN(const int64_t incarnation, iterator->start(*dataset, ctx.step(), room));
    ctx.set_output(0, Tensor::scalar(incarnation));
    return Status();
  }
};

class MultiDeviceGetNextKernel final : public AsyncKernel {
 public:
  explicit MultiDeviceGetNextKernel(KernelInit& init) : spec_(spec_of(init)) {}

  void compute_async(KernelContext& ctx, Done done) override {
    size_t consumer = 0;
    const Result<RefPtr<MultiDeviceServer>> server = find(ctx, consumer);
    if (!server.ok()) return done(server.status());
    server.value()->next(ctx.step(), consumer, [this, &ctx, server, done = std::move(done)](auto outcome) {
      done(guarded([&] { return set_outputs(ctx, std::move(outcome)); }));
    });
  }

 private:
  Result<RefPtr<MultiDeviceServer>> find(const KernelContext& ctx, size_t& consumer) const {
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<MultiDeviceResource> iterator, resource_input<MultiDeviceResource>(ctx, 0));
    TINYTF_RETURN_IF_ERROR(data::check_compatible(spec_, iterator->spec()));  // Before an element is taken.
    TINYTF_ASSIGN_OR_RETURN(const int32_t shard, scalar_input<int32_t>(ctx, 1, "shard_num"));
    TINYTF_ASSIGN_OR_RETURN(const int64_t incarnation, scalar_input<int64_t>(ctx, 2, "incarnation_id"));
    TINYTF_ASSIGN_OR_RETURN(RefPtr<MultiDeviceServer> server, iterator->server(incarnation));
    if (shard < 0 || static_cast<size_t>(shard) >= iterator->consumers()) {
      return invalid_argument("shard_num must be in [0, ", iterator->consumers(), "), got ", shard);
    }
    consumer = static_cast<size_t>(shard);
    return server;
  }

  Status set_outputs(KernelContext& ctx, MultiDeviceServer::Outcome outcome) const {
    TINYTF_ASSIGN_OR_RETURN(const Pulled pulled, std::move(outcome.pulled));
    if (pulled == Pulled::kEnd) return Status(Code::kOutOfRange, "End of sequence");
    TINYTF_RETURN_IF_ERROR(data::check_element(spec_, outcome.element));
    for (int i = 0; i < ctx.num_outputs(); ++i) ctx.set_output(i, std::move(outcome.element[static_cast<size_t>(i)]));
    return Status();
  }

  const ElementSpec spec_;
};

class MultiDeviceToStringKernel final : public Kernel {
 public:
  explicit MultiDeviceToStringKernel(KernelInit&) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_RETURN_IF_ERROR(resource_input<MultiDeviceResource>(ctx, 0).status());
    ctx.set_output(0, Tensor::scalar(text_of_handle(*ctx.input(0).data<ResourceHandle>(), ctx.node().device)));
    return Status();
  }
};

/// Finds the iterator of a string handle among the resources of the session.
class MultiDeviceFromStringKernel final : public Kernel {
 public:
  explicit MultiDeviceFromStringKernel(KernelInit& init) : spec_(spec_of(init)) {}
  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const std::string text, scalar_input<std::string>(ctx, 0, "string_handle"));
    TINYTF_ASSIGN_OR_RETURN(ResourceHandle handle, handle_of_text(text, MultiDeviceResource::kTypeName));
    TINYTF_ASSIGN_OR_RETURN(
        handle.resource, ctx.step().resources->find(handle.container, MultiDeviceResource::kRegistryType, handle.name));
    const auto& iterator = static_cast<const MultiDeviceResource&>(*handle.resource);
    if (!spec_.types.empty()) TINYTF_RETURN_IF_ERROR(data::check_compatible(spec_, iterator.spec()));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    *out->data<ResourceHandle>() = std::move(handle);
    return Status();
  }

 private:
  const ElementSpec spec_;
};

Status shard_shapes(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(c.with_rank(0, 0));
  return shapes::output_shapes(c);
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_multi_device_iterator) {
  using namespace tinytf::ops;
  ops.op("AnonymousMultiDeviceIterator")
      .output("handle: resource")
      .output("deleter: variant")
      .attr("devices: list(string) >= 1")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .stateful()
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Makes a new iterator for several devices, which lives as long as its handle, and a token for "
          "DeleteMultiDeviceIterator.");
  kernels.add<AnonymousMultiDeviceKernel>("AnonymousMultiDeviceIterator");

  ops.op("DeleteMultiDeviceIterator")
      .input("multi_device_iterator: resource")
      .input("iterators: N * resource")
      .input("deleter: variant")
      .attr("N: int >= 0")
      .stateful()
      .shape(shapes::no_outputs)
      .no_gradient()
      .doc("Ends the iterator and its background work.");
  kernels.add<DeleteMultiDeviceKernel>("DeleteMultiDeviceIterator");

  ops.op("MultiDeviceIterator")
      .output("handle: resource")
      .attr("devices: list(string) >= 1")
      .attr("shared_name: string")
      .attr("container: string")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .stateful()
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Returns the handle of an iterator whose elements are dealt out to `devices` in turn. "
          "MultiDeviceIteratorInit initializes it.");
  kernels.add<NamedStateKernel<MultiDeviceMaker>>("MultiDeviceIterator");

  ops.op("MultiDeviceIteratorFromStringHandle")
      .input("string_handle: string")
      .output("multi_device_iterator: resource")
      .attr("output_types: list(type) >= 0 = []")
      .attr("output_shapes: list(shape) >= 0 = []")
      .stateful()
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Returns the handle of a multi-device iterator of the session from its string. The iterator must match the "
          "declared spec, if there is one.");
  kernels.add<MultiDeviceFromStringKernel>("MultiDeviceIteratorFromStringHandle");

  ops.op("MultiDeviceIteratorGetNextFromShard")
      .input("multi_device_iterator: resource")
      .input("shard_num: int32")
      .input("incarnation_id: int64")
      .output("components: output_types")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .stateful()
      .trait(Trait::kReadsExternalState)
      .trait(Trait::kWritesExternalState)
      .shape(shard_shapes)
      .no_gradient()
      .doc(
          "Returns the components of the next element of device number `shard_num`. Fails with OutOfRange at the end "
          "of the sequence, and if the iterator was initialized again since it returned `incarnation_id`.");
  kernels.add<MultiDeviceGetNextKernel>("MultiDeviceIteratorGetNextFromShard");

  ops.op("MultiDeviceIteratorInit")
      .input("dataset: variant")
      .input("multi_device_iterator: resource")
      .input("max_buffer_size: int64")
      .output("incarnation_id: int64")
      .stateful()
      .trait(Trait::kReadsExternalState)
      .trait(Trait::kWritesExternalState)
      .shape(shapes::scalar)
      .no_gradient()
      .doc(
          "Lets the iterator begin with the first element of `dataset`, and prepare up to `max_buffer_size` elements "
          "for each device. Returns the number of this initialization.");
  kernels.add<MultiDeviceInitKernel>("MultiDeviceIteratorInit");

  ops.op("MultiDeviceIteratorToStringHandle")
      .input("multi_device_iterator: resource")
      .output("string_handle: string")
      .stateful()
      .trait(Trait::kReadsResource)
      .shape(shapes::scalar)
      .no_gradient()
      .doc("Returns the handle as a string, which can be fed.");
  kernels.add<MultiDeviceToStringKernel>("MultiDeviceIteratorToStringHandle");
}

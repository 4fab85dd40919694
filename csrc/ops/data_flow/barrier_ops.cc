#include "op/async_kernel.h"
#include "op/op_def.h"
#include "op/registration.h"
#include "ops/data_flow/shared/barrier.h"
#include "ops/data_flow/shared/named_state.h"
#include "ops/data_flow/shared/queue_spec.h"

namespace tinytf::ops {
namespace {

std::string shapes_text(const std::vector<Shape>& shapes) {
  return ops::shapes_text(std::vector<PartialShape>(shapes.begin(), shapes.end()));
}

class BarrierMaker {
 public:
  using State = Barrier;
  static constexpr ResourceName::Unnamed kUnnamed = ResourceName::Unnamed::kPrivate;

  explicit BarrierMaker(KernelInit& init) : dtypes_(init.attr<std::vector<DType>>("component_types")) {
    const auto shapes = init.attr<std::vector<PartialShape>>("shapes");
    if (shapes.size() != dtypes_.size()) {
      init.fail(invalid_argument("All of the component shapes must be specified"));
    }
    if (init.int32_attr("capacity") != -1) {
      init.fail(
          invalid_argument("Barrier only accepts capacity=-1.  Feed the inputs to your Barrier through a queue to "
                           "enforce a limited capacity."));
    }
    for (const PartialShape& shape : shapes) {
      if (shape.known_rank() && !shape.fully_defined()) {
        init.fail(invalid_argument("Shape ", shape.to_string(), " is not fully defined"));
        return;
      }
      // TensorFlow reads an unknown shape as a scalar.
      shapes_.push_back(shape.known_rank() ? shape.to_shape() : Shape());
      init.fail(shapes_.back().check());
    }
  }

  RefPtr<Resource> make(const std::string& name) const {
    return RefPtr<Resource>(make_ref<Barrier>(name, dtypes_, shapes_));
  }
  Status check(Barrier& found) const {
    if (found.dtypes() != dtypes_) {
      return invalid_argument("Shared barrier '", found.name(), "' has component types ", types_text(found.dtypes()),
                              " but requested component types were ", types_text(dtypes_));
    }
    if (found.shapes() != shapes_) {
      return invalid_argument("Shared barrier '", found.name(), "' has component shapes ", shapes_text(found.shapes()),
                              " but requested component shapes were ", shapes_text(shapes_));
    }
    return Status();
  }

 private:
  const std::vector<DType> dtypes_;
  std::vector<Shape> shapes_;
};

/// Gets the barrier behind input 0, which `found` keeps alive.
Status input_barrier(const KernelContext& ctx, RefPtr<Resource>* found, Barrier** barrier) {
  Status status;
  *barrier = input_state<Barrier>(ctx, 0, found, &status);
  return status;
}

class InsertManyKernel final : public Kernel {
 public:
  explicit InsertManyKernel(KernelInit& init) : component_(init.int32_attr("component_index")) {}

  Status compute(KernelContext& ctx) override {
    RefPtr<Resource> found;
    Barrier* barrier = nullptr;
    TINYTF_RETURN_IF_ERROR(input_barrier(ctx, &found, &barrier));
    TINYTF_RETURN_IF_ERROR(check(ctx, *barrier));
    return barrier->insert(ctx.allocator(), ctx.input(1), component_, ctx.input(2));
  }

 private:
  Status check(const KernelContext& ctx, const Barrier& barrier) const {
    const auto components = static_cast<int>(barrier.dtypes().size());
    if (component_ < 0) return invalid_argument("The component ID must not be negative, but is ", component_);
    if (component_ >= components) {
      return invalid_argument("The component ID is out of range ", component_, " > num_components (= ", components,
                              ")");
    }
    const auto component = static_cast<size_t>(component_);
    const Tensor &keys = ctx.input(1), &values = ctx.input(2);
    if (values.dtype() != barrier.dtypes()[component]) {
      return invalid_argument("Signature mismatch, have: ", types_text(ctx.node().inputs),
                              "-> expected: string_ref, string, ", dtype_name(barrier.dtypes()[component]), "->");
    }
    if (keys.num_elements() > 0 && values.num_elements() == 0) {
      return invalid_argument("Tensors with no elements are not supported ", barrier.name(), ": received shape ",
                              values.shape().to_string());
    }
    if (values.rank() == 0 || values.dim(0) != keys.num_elements()) {
      return invalid_argument("Expected one value for each of the ", keys.num_elements(),
                              " keys, but got values of shape ", values.shape().to_string());
    }
    Shape shape = values.shape();
    shape.remove_dim(0);
    if (keys.num_elements() > 0 && shape != barrier.shapes()[component]) {
      return invalid_argument("Shape mismatch in tuple component ", component_ + 2, ". Expected ",
                              barrier.shapes()[component].to_string(), ", got ", shape.to_string());
    }
    return Status();
  }

  const int component_;
};

class TakeManyKernel final : public AsyncKernel {
 public:
  explicit TakeManyKernel(KernelInit& init) : allows_fewer_(init.attr<bool>("allow_small_batch")) {
    if (init.int32_attr("timeout_ms") != -1) init.fail(invalid_argument("Timeout not supported yet."));
  }

  void compute_async(KernelContext& ctx, Done done) override {
    RefPtr<Resource> found;
    Barrier* barrier = nullptr;
    Status status = input_barrier(ctx, &found, &barrier);
    if (status.ok()) status = check(ctx, *barrier);
    if (!status.ok()) return done(std::move(status));
    const int64_t count = *ctx.input(1).data<int32_t>();
    barrier->take({&ctx, keeping(std::move(found), std::move(done)), count, allows_fewer_});
  }

 private:
  static Status check(const KernelContext& ctx, const Barrier& barrier) {
    if (ctx.input(1).rank() != 0) return invalid_argument("num_elements must be a scalar.");
    const int32_t count = *ctx.input(1).data<int32_t>();
    if (count < 0) return invalid_argument("num_elements must not be negative, but is ", count);
    const std::vector<ArgType>& outputs = ctx.node().outputs;
    bool same = outputs.size() == barrier.dtypes().size() + 2;
    for (size_t i = 2; same && i < outputs.size(); ++i) same = outputs[i].dtype == barrier.dtypes()[i - 2];
    if (same) return Status();
    const std::string inputs = types_text(ctx.node().inputs);
    return invalid_argument("Signature mismatch, have: ", inputs, "->", types_text(outputs), " expected: ", inputs,
                            "->int64, string, ", types_text(barrier.dtypes()));
  }

  const bool allows_fewer_;
};

class BarrierCloseKernel final : public Kernel {
 public:
  explicit BarrierCloseKernel(KernelInit& init) : cancels_(init.attr<bool>("cancel_pending_enqueues")) {}

  Status compute(KernelContext& ctx) override {
    RefPtr<Resource> found;
    Barrier* barrier = nullptr;
    TINYTF_RETURN_IF_ERROR(input_barrier(ctx, &found, &barrier));
    return barrier->close(cancels_);
  }

 private:
  const bool cancels_;
};

template <auto kQuery>
class BarrierSizeKernel final : public Kernel {
 public:
  explicit BarrierSizeKernel(KernelInit& /*init*/) {}

  Status compute(KernelContext& ctx) override {
    RefPtr<Resource> found;
    Barrier* barrier = nullptr;
    TINYTF_RETURN_IF_ERROR(input_barrier(ctx, &found, &barrier));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    *out->data<int32_t>() = static_cast<int32_t>((barrier->*kQuery)());
    return Status();
  }
};

Status insert_many_shape(ShapeContext& c) {
  TINYTF_RETURN_IF_ERROR(check_text_handle(c, 0));
  PartialShape keys, values;
  TINYTF_RETURN_IF_ERROR(c.with_rank(1, 1, &keys));
  TINYTF_RETURN_IF_ERROR(c.with_rank_at_least(2, 1, &values));
  const PartialShape rows = values.known_rank() ? values.slice(0, 1) : PartialShape();
  return keys.merge(rows).status();
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_barrier_ops) {
  using namespace tinytf::ops;
  using tinytf::Trait;
  ops.op("Barrier")
      .output("handle: Ref(string)")
      .attr("component_types: list(type) >= 1")
      .attr("shapes: list(shape) >= 0 = []")
      .attr("capacity: int = -1")
      .attr("container: string = ''")
      .attr("shared_name: string = ''")
      .stateful()
      .shape(text_handle_shape)
      .no_gradient()
      .doc(
          "Returns a handle to a barrier: a store of elements, each with a key, that are assembled from components "
          "inserted one by one. `component_types` and `shapes` describe the components.");
  kernels.add<NamedStateKernel<BarrierMaker>>("Barrier");

  ops.op("BarrierInsertMany")
      .input("handle: Ref(string)")
      .input("keys: string")
      .input("values: T")
      .attr("T: type")
      .attr("component_index: int")
      .trait(Trait::kWritesExternalState)
      .shape(insert_many_shape)
      .no_gradient()
      .doc(
          "Inserts row i of `values` as component `component_index` of the element with key `keys[i]`. Fails with "
          "InvalidArgument, without any effect, if an element already has that component, and with Cancelled for a new "
          "key if the barrier is closed.");
  kernels.add<InsertManyKernel>("BarrierInsertMany");

  ops.op("BarrierTakeMany")
      .input("handle: Ref(string)")
      .input("num_elements: int32")
      .output("indices: int64")
      .output("keys: string")
      .output("values: component_types")
      .attr("component_types: list(type) >= 1")
      .attr("allow_small_batch: bool = false")
      .attr("wait_for_incomplete: bool = false")
      .attr("timeout_ms: int = -1")
      .trait(Trait::kReadsExternalState)
      .trait(Trait::kWritesExternalState)
      .shape(shapes::unknown)
      .no_gradient()
      .doc(
          "Takes `num_elements` complete elements, waiting until there are enough. Elements are taken in the order in "
          "which their first components were inserted; `indices` numbers these insertions from -2^63. If "
          "`allow_small_batch` is true and the barrier is closed, it takes fewer elements, but at least one.");
  kernels.add<TakeManyKernel>("BarrierTakeMany");

  ops.op("BarrierClose")
      .input("handle: Ref(string)")
      .attr("cancel_pending_enqueues: bool = false")
      .trait(Trait::kWritesExternalState)
      .shape(text_handles_to_scalars)
      .no_gradient()
      .doc(
          "Closes the barrier: new keys are refused. If `cancel_pending_enqueues` is true, incomplete elements are "
          "dropped and further components are refused too.");
  kernels.add<BarrierCloseKernel>("BarrierClose");

  ops.op("BarrierReadySize")
      .input("handle: Ref(string)")
      .output("size: int32")
      .trait(Trait::kReadsResource)
      .trait(Trait::kReadsExternalState)
      .shape(text_handles_to_scalars)
      .no_gradient()
      .doc("Returns the number of complete elements.");
  kernels.add<BarrierSizeKernel<&Barrier::ready>>("BarrierReadySize");

  ops.op("BarrierIncompleteSize")
      .input("handle: Ref(string)")
      .output("size: int32")
      .trait(Trait::kReadsResource)
      .trait(Trait::kReadsExternalState)
      .shape(text_handles_to_scalars)
      .no_gradient()
      .doc("Returns the number of incomplete elements.");
  kernels.add<BarrierSizeKernel<&Barrier::incomplete>>("BarrierIncompleteSize");
}

#include "data/iterator_position.h"
#include "ops/data/shared/dataset_kernel.h"
#include "ops/data/shared/iterator_input.h"

namespace tinytf::ops {
namespace {

/// Attr of nodes that save and restore iterators with the variables of a training: an iterator that was not initialized
/// has the position at which it will begin. TensorFlow ignores attrs whose names begin so.
constexpr const char* kBeforeStart = "_before_start";

bool works_before_start(const KernelInit& init) {
  const bool* const value = init.node().attrs.get<bool>(kBeforeStart);
  return value != nullptr && *value;
}

class SerializeIteratorKernel final : public Kernel {
 public:
  explicit SerializeIteratorKernel(KernelInit& init) : works_before_start_(works_before_start(init)) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(data::IteratorResource* const iterator, iterator_input(ctx, 0));
    if (works_before_start_) {
      TINYTF_ASSIGN_OR_RETURN(RefPtr<const data::IteratorPosition> position, iterator->position(ctx.step()));
      TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
      out->data<Variant>()->value = std::move(position);
      return Status();
    }
    data::IteratorState state;
    StateWriter writer(state);
    TINYTF_RETURN_IF_ERROR(iterator->save(ctx.step(), writer));
    TINYTF_ASSIGN_OR_RETURN(Tensor * out, ctx.allocate_output(0, Shape()));
    out->data<Variant>()->value = make_ref<data::IteratorPosition>(std::move(state));
    return Status();
  }

 private:
  const bool works_before_start_;
};

class DeserializeIteratorKernel final : public Kernel {
 public:
  explicit DeserializeIteratorKernel(KernelInit& init) : works_before_start_(works_before_start(init)) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(data::IteratorResource* const iterator, iterator_input(ctx, 0));
    const Tensor& serialized = ctx.input(1);
    if (serialized.num_elements() != 1) return invalid_argument("serialized must be a scalar");
    const auto* position = serialized.data<Variant>()->get<data::IteratorPosition>();
    if (position == nullptr) return invalid_argument("serialized is not the position of an iterator");
    if (works_before_start_) {
      return iterator->begin_at(ctx.step(), RefPtr<const data::IteratorPosition>::share(position));
    }
    StateReader reader(position->state(), &ctx.step());
    return iterator->restore(ctx.step(), reader);
  }

 private:
  const bool works_before_start_;
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_iterator_state) {
  using namespace tinytf::ops;
  forms.add(tinytf::data::IteratorPosition::kTypeName, tinytf::data::iterator_position_form());

  ops.op("SerializeIterator")
      .input("resource_handle: resource")
      .output("serialized: variant")
      .stateful()
      .trait(Trait::kReadsResource)
      .shape(shapes::scalar)
      .no_gradient()
      .doc("Returns the position of the iterator, which must have been initialized.");
  kernels.add<SerializeIteratorKernel>("SerializeIterator");

  ops.op("DeserializeIterator")
      .input("resource_handle: resource")
      .input("serialized: variant")
      .stateful()
      .shape(shapes::no_outputs)
      .no_gradient()
      .doc("Sets the position of the iterator, which must have been initialized with an equal dataset.");
  kernels.add<DeserializeIteratorKernel>("DeserializeIterator");
}

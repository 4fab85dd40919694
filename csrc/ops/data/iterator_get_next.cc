#include <optional>

#include "op/async_kernel.h"
#include "op/guarded.h"
#include "op/registration.h"
#include "ops/data/shared/iterator_input.h"
#include "ops/optional_value.h"
#include "ops/output_shapes.h"

namespace tinytf::ops {
namespace {

/// Asks the iterator for an element; `kSets` says how outputs are made of it.
template <Status (*kSets)(KernelContext&, const data::ElementSpec&, data::IteratorServer::Outcome)>
class IteratorGetNextKernel final : public AsyncKernel {
 public:
  explicit IteratorGetNextKernel(KernelInit& init) : spec_(spec_of(init)) {}

  void compute_async(KernelContext& ctx, Done done) override {
    const Result<data::IteratorResource*> iterator = iterator_input(ctx, 0);
    if (!iterator.ok()) return done(iterator.status());
    const Result<RefPtr<data::IteratorServer>> server = iterator.value()->server();
    if (!server.ok()) return done(server.status());
    using Outcome = data::IteratorServer::Outcome;
    const auto set = [this, &ctx](Outcome outcome) {
      return guarded([&] { return kSets(ctx, spec_, std::move(outcome)); });
    };
    std::optional<Outcome> outcome = server.value()->next(ctx.step(), [&]() -> data::IteratorServer::Done {
      return [set, server, done](Outcome later) { done(set(std::move(later))); };
    });
    if (outcome) done(set(std::move(*outcome)));
  }

 private:
  const data::ElementSpec spec_;
};

/// The error at the end. If the function of a stage has ended the sequence, the message also has its error, behind the
/// node that TensorFlow names.
Status end_of_sequence(const KernelContext& ctx, const Status& early_end) {
  const Status end(Code::kOutOfRange, "End of sequence");
  if (early_end.ok()) return end;
  return Status(
      Code::kOutOfRange,
      str_cat(end.at_node(ctx.node().name).message(),
              "\n\nThe function of a stage has ended the sequence by this OutOfRange error: ", early_end.message()));
}

Status set_components(KernelContext& ctx, const data::ElementSpec& spec, data::IteratorServer::Outcome outcome) {
  TINYTF_ASSIGN_OR_RETURN(const data::Pulled pulled, std::move(outcome.pulled));
  if (pulled == data::Pulled::kEnd) return end_of_sequence(ctx, outcome.early_end);
  TINYTF_RETURN_IF_ERROR(data::check_element(spec, outcome.element));
  for (int i = 0; i < ctx.num_outputs(); ++i) ctx.set_output(i, std::move(outcome.element[static_cast<size_t>(i)]));
  return Status();
}

Status set_optional(KernelContext& ctx, const data::ElementSpec& spec, data::IteratorServer::Outcome outcome) {
  TINYTF_ASSIGN_OR_RETURN(const data::Pulled pulled, std::move(outcome.pulled));
  std::vector<Tensor> values;
  if (pulled == data::Pulled::kElement) {
    TINYTF_RETURN_IF_ERROR(data::check_element(spec, outcome.element));
    values = std::move(outcome.element);
  }
  return set_optional_output(ctx, 0, std::move(values));
}

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_iterator_get_next) {
  using namespace tinytf::ops;
  const auto declare = [&](const char* name) {
    kernels.add<IteratorGetNextKernel<set_components>>(name);
    return ops.op(name)
        .input("iterator: resource")
        .output("components: output_types")
        .attr("output_types: list(type) >= 1")
        .attr("output_shapes: list(shape) >= 1")
        .stateful()
        .trait(Trait::kReadsExternalState)
        .trait(Trait::kWritesExternalState)
        .shape(shapes::output_shapes)
        .no_gradient();
  };
  declare("IteratorGetNext")
      .doc("Returns the components of the next element. Fails with OutOfRange at the end of the sequence.");
  declare("IteratorGetNextSync").doc("Does what IteratorGetNext does.");

  ops.op("IteratorGetNextAsOptional")
      .input("iterator: resource")
      .output("optional: variant")
      .attr("output_types: list(type) >= 1")
      .attr("output_shapes: list(shape) >= 1")
      .stateful()
      .trait(Trait::kReadsExternalState)
      .trait(Trait::kWritesExternalState)
      .shape(shapes::scalar)
      .no_gradient()
      .doc("Returns the next element as an optional, which is empty at the end of the sequence.");
  kernels.add<IteratorGetNextKernel<set_optional>>("IteratorGetNextAsOptional");
}

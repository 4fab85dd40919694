#include "ops/data/shared/dataset_kernel.h"

#include "data/rewrite_site.h"
#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::tensor;

/// A dataset without elements. Others take its place where noops are dropped, if input 0 is a constant.
class Made final : public Dataset {
 public:
  explicit Made(DatasetParts parts) : Dataset(std::move(parts)) {}
  Result<std::unique_ptr<Iterator>> make_iterator(IteratorContext&) const override { return internal_error("none"); }
  Result<RefPtr<const Dataset>> rewritten(const RewriteSite& site) const override {
    const bool is_replaced = site.rewrites().drops_noops && site.is_constant(0);
    return is_replaced ? RefPtr<const Dataset>(make_ref<Made>(testing::scripted_parts())) : nullptr;
  }
};

/// Makes such datasets of its inputs.
class Maker final : public ops::DatasetKernel {
 public:
  using DatasetKernel::DatasetKernel;
  std::function<Status(const KernelContext&)> check;

 protected:
  Result<RefPtr<const Dataset>> make(KernelContext& ctx, DatasetParts parts) override {
    if (check) TINYTF_RETURN_IF_ERROR(check(ctx));
    return RefPtr<const Dataset>(make_ref<Made>(std::move(parts)));
  }
};

/// Has no functions.
struct Runner final : FunctionRunner {
  explicit Runner(DatasetRewrites rewrites) : FunctionRunner(new_id(), rewrites) {}
  Result<RefPtr<FunctionInstance>> instantiate(const FuncRef&, const KernelServices&, FunctionOwner) override {
    return not_found("none");
  }
  Result<RefPtr<FunctionSource>> source(const FuncRef&) override { return not_found("none"); }
};

/// A node with inputs, and what its kernel needs.
struct Node {
  explicit Node(std::vector<Tensor> inputs) {
    info.name = "node";
    info.op = OpRegistry::global().find("TensorDataset");
    info.attrs.set("output_types", std::vector<DType>{DType::kInt64});
    info.attrs.set("output_shapes", std::vector<PartialShape>{PartialShape::scalar()});
    info.outputs.push_back({DType::kVariant, false});
    for (Tensor& input : inputs) {
      info.inputs.push_back({input.dtype(), false});
      places.push_back(static_cast<int32_t>(slots.size()));
      slots.emplace_back();
      slots.back().tensor = std::move(input);
    }
  }
  Status run(Kernel& kernel) {
    KernelContext ctx(info, step.services, slots.data(), places.data(), &output, 0);
    return kernel.compute(ctx);
  }
  const Dataset& made() const { return *dataset_of(output.tensor).take(); }

  NodeInfo info;
  testing::DataStep step;
  std::vector<Slot> slots;
  std::vector<int32_t> places;
  Slot output;
};

TINYTF_TEST(a_dataset_has_the_spec_and_the_inputs_of_its_node) {
  Node node({Tensor::scalar(int64_t{3})});
  KernelInit init(node.info);
  Maker kernel(init);
  EXPECT_OK(init.status());
  EXPECT_OK(node.run(kernel));
  EXPECT(node.made().spec().types == std::vector<DType>{DType::kInt64});
  EXPECT_EQ(node.made().origin().inputs[0].int_at(0), 3);
  EXPECT_EQ(node.made().levels(), 1);
  Node around({node.output.tensor});
  EXPECT_OK(around.run(kernel));
  EXPECT_EQ(around.made().levels(), 2);
}

TINYTF_TEST(types_and_shapes_of_a_dataset_are_as_many) {
  Node node({});
  node.info.attrs.set("output_shapes", std::vector<PartialShape>());
  KernelInit init(node.info);
  const Maker kernel(init);
  EXPECT_EQ(init.status().message(), "`output_types` and `output_shapes` must have the same length, got 1 and 0");
}

TINYTF_TEST(datasets_own_their_inputs) {
  const Tensor rows = tensor<int64_t>({2, 2}, {1, 2, 3, 4});
  Node node({rows.view(2, Shape({2})).take()});
  KernelInit init(node.info);
  Maker kernel(init);
  EXPECT_OK(node.run(kernel));
  const Tensor& kept = node.made().origin().inputs[0];
  EXPECT_EQ(kept.int_at(0), 3);
  EXPECT(kept.buffer() != rows.buffer());  // The other row is not kept alive.
}

TINYTF_TEST(datasets_with_constant_inputs_are_rewritten) {
  DatasetRewrites rewrites;
  rewrites.drops_noops = true;
  Runner runner(rewrites);
  Node node({Tensor::scalar(int64_t{3})});
  node.step.services.functions = &runner;
  KernelInit init(node.info);
  Maker kernel(init);
  EXPECT_OK(node.run(kernel));
  EXPECT_EQ(node.made().origin().inputs.size(), 1u);
  EXPECT_EQ(node.made().origin().maker, runner.id());
  kernel.note_constant_input(0);
  EXPECT_OK(node.run(kernel));
  EXPECT(node.made().origin().inputs.empty());
}

TINYTF_TEST(inputs_of_datasets_have_ranks) {
  Node node({Tensor::scalar(int64_t{3}), tensor<int64_t>({2}, {1, 2}), tensor<int64_t>({1, 1}, {1})});
  KernelInit init(node.info);
  Maker kernel(init);
  kernel.check = [](const KernelContext& ctx) {
    EXPECT_EQ(ops::scalar_input<int64_t>(ctx, 0, "count").value(), 3);
    EXPECT_EQ(ops::scalar_input<int64_t>(ctx, 1, "count").status().message(), "count must be a scalar");
    EXPECT(ops::vector_input<int64_t>(ctx, 0, "counts").value() == std::vector<int64_t>({3}));
    EXPECT(ops::vector_input<int64_t>(ctx, 1, "counts").value() == std::vector<int64_t>({1, 2}));
    EXPECT_EQ(ops::vector_input<int64_t>(ctx, 2, "counts").status().message(), "counts must be a scalar or a vector");
    EXPECT_EQ(ops::dataset_input(ctx, 0).status().code(), Code::kInvalidArgument);
    EXPECT_EQ(ops::inputs_between(ctx, 1, 2).size(), 2u);
    return invalid_argument("bad");
  };
  EXPECT_EQ(node.run(kernel).message(), "bad");
  EXPECT_EQ(ops::list_length(node.info, "output_types"), 1);
  EXPECT_EQ(ops::list_length(node.info, "none"), 0);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

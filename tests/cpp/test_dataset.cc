#include "data/dataset.h"

#include "tests/cpp/data_fixture.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::Script;
using testing::scripted;

/// A dataset of other datasets.
class Around final : public Dataset {
 public:
  explicit Around(std::vector<Tensor> inputs) : Dataset(testing::scripted_parts(std::move(inputs))) {}
  Result<std::unique_ptr<Iterator>> make_iterator(IteratorContext&) const override {
    return unimplemented("It is only nested.");
  }
};

Tensor around(std::vector<Tensor> inputs) {
  return tensor_of(RefPtr<const Dataset>(make_ref<Around>(std::move(inputs)))).take();
}

TINYTF_TEST(datasets_are_scalar_variants) {
  Script script(1);
  const auto dataset = scripted(script);
  const Tensor tensor = tensor_of(dataset).take();
  EXPECT_EQ(tensor.rank(), 0);
  EXPECT(dataset_of(tensor).value() == dataset.get());
  EXPECT_EQ(dataset->type_name(), "tensorflow::DatasetVariantWrapper");
  EXPECT_EQ(dataset->debug_string(), "Dataset of op RangeDataset");
  EXPECT_EQ(dataset->cardinality(), kUnknownCardinality);
}

TINYTF_TEST(tensors_without_a_dataset) {
  EXPECT_EQ(dataset_of(Tensor::scalar(1.f)).status().message(), "Dataset tensor must be a scalar of dtype DT_VARIANT.");
  const Tensor two = Tensor::allocate(Allocator::process(), DType::kVariant, Shape({2})).take();
  EXPECT_EQ(dataset_of(two).status().code(), Code::kInvalidArgument);
  const Tensor empty = Tensor::allocate(Allocator::process(), DType::kVariant, Shape()).take();
  EXPECT_EQ(dataset_of(empty).status().message(), "Tensor must be a Dataset object.");
  EXPECT_EQ(dataset_of(Tensor()).status().code(), Code::kInvalidArgument);
}

TINYTF_TEST(levels_of_nested_datasets) {
  Script script(1);
  const Tensor inner = tensor_of(scripted(script)).take();
  EXPECT_EQ(Dataset::levels_around({}).value(), 1);
  EXPECT_EQ(Dataset::levels_around({Tensor::scalar(1.f)}).value(), 1);
  EXPECT_EQ(Dataset::levels_around({inner, around({inner}), inner}).value(), 3);
  Tensor nested = inner;
  for (int level = 2; level <= Dataset::kMostLevels; ++level) {
    nested = around({nested});
    const auto* dataset = dataset_of(nested).value();
    EXPECT_EQ(dataset->levels(), level);
    EXPECT_EQ(dataset->depth(), level / Dataset::kLevelsPerDepth + 1);
  }
  EXPECT_EQ(Dataset::levels_around({nested}).status().code(), Code::kInvalidArgument);
}

TINYTF_TEST(levels_of_datasets_in_other_variants) {
  Script script(1);
  Tensor nested = tensor_of(scripted(script)).take();
  for (int i = 0; i < 25; ++i) nested = around({nested});
  const int levels = dataset_of(nested).value()->levels();
  const Tensor optional = testing::OpRunner("OptionalFromValue")
                              .list({nested})
                              .attr("Toutput_types", std::vector<DType>{DType::kVariant})
                              .run()
                              .take()[0];
  EXPECT(Dataset::levels_around({optional}).value() > levels);
}

TINYTF_TEST(an_iterator_keeps_its_dataset) {
  Script script(2);
  const auto host = make_ref<testing::OpenHost>();
  const testing::DataStep step(host.get());
  const auto tasks = make_ref<PipelineTasks>();
  IteratorContext ctx{step.services, *tasks};
  auto dataset = scripted(script);
  const auto iterator = dataset->make_iterator(ctx).take();
  dataset.reset();
  IteratorState state;
  StateWriter writer(state);
  EXPECT_OK(iterator->save(ctx, writer));
  StateReader reader(state);
  EXPECT_OK(iterator->restore(ctx, reader));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

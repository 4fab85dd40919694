#include "data/element_list.h"

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::scripted_parts;

class NoWaker final : public Waker {
 public:
  void wake() override {}
};

std::shared_ptr<const std::vector<Element>> elements_of(std::vector<Element> elements) {
  return std::make_shared<const std::vector<Element>>(std::move(elements));
}

Result<Tensor> list_of(std::shared_ptr<const std::vector<Element>> elements) {
  return ElementList::tensor_of(scripted_parts().origin.node, testing::spec_of_int(), std::move(elements));
}

TINYTF_TEST(a_list_of_elements_is_a_dataset) {
  const auto elements = elements_of({{Tensor::scalar(int64_t{5})}, {Tensor::scalar(int64_t{6})}});
  const Tensor list = list_of(elements).take();
  const Dataset* const dataset = dataset_of(list).value();
  EXPECT_EQ(dataset->cardinality(), 2);
  EXPECT_EQ(dataset->levels(), 1);
  EXPECT_EQ(dataset->bytes(), bytes_of((*elements)[0]) * 2);

  testing::DataStep step;
  const auto tasks = make_ref<PipelineTasks>();
  const auto waker = make_ref<NoWaker>();
  PullContext ctx{{step.services, *tasks}, *waker};
  const auto one = dataset->make_iterator(ctx).take(), two = dataset->make_iterator(ctx).take();
  Element element;
  EXPECT(one->pull(ctx, element).take() == Pulled::kElement);
  EXPECT_EQ(testing::number_of(element), 5);
  IteratorState state;
  StateWriter writer(state);
  EXPECT_OK(one->save(ctx, writer));
  StateReader reader(state);
  EXPECT_OK(two->restore(ctx, reader));
  EXPECT(two->pull(ctx, element).take() == Pulled::kElement);
  EXPECT_EQ(testing::number_of(element), 6);
  EXPECT(two->pull(ctx, element).take() == Pulled::kEnd);
  state["at"] = Tensor::scalar(int64_t{3});
  EXPECT_EQ(two->restore(ctx, reader).code(), Code::kDataLoss);
}

TINYTF_TEST(lists_of_datasets_are_nested) {
  testing::Script script(1);
  const auto maker = testing::scripted(script);
  Tensor nested = tensor_of(maker).take();
  for (int level = 2; level <= Dataset::kMostLevels; ++level) {
    nested = list_of(elements_of({{nested}})).take();
    EXPECT_EQ(dataset_of(nested).value()->levels(), level);
  }
  const auto deeper = list_of(elements_of({{nested}}));
  EXPECT_EQ(deeper.status().code(), Code::kInvalidArgument);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "ops/data/shared/inner_datasets.h"

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using ops::Cycle;
using ops::CyclePosition;

TINYTF_TEST(results_that_are_no_dataset) {
  testing::DataStep step;
  const auto tasks = make_ref<PipelineTasks>();
  IteratorContext ctx{step.services, *tasks};
  testing::Script script(1);
  const Tensor dataset = tensor_of(testing::scripted(script)).take();
  EXPECT(ops::inner_iterator(ctx, {dataset}).ok());
  const Tensor vector = Tensor::allocate(Allocator::process(), DType::kVariant, Shape({1})).take();
  for (const Element& results : {Element{}, Element{dataset, dataset}, Element{Tensor::scalar(1.f)}, Element{vector}}) {
    EXPECT_EQ(ops::inner_iterator(ctx, results).status().message(),
              "Function must return a single scalar of dtype DT_VARIANT.");
  }
  const Tensor empty = Tensor::allocate(Allocator::process(), DType::kVariant, Shape()).take();
  EXPECT_EQ(ops::inner_iterator(ctx, {empty}).status().code(), Code::kInvalidArgument);
}

TINYTF_TEST(the_end_inside_a_function_is_an_error) {
  EXPECT(data::stage_error(Status(Code::kDataLoss, "lost"), "Stage").message() == "lost");
  const Status error = data::stage_error(Status(Code::kOutOfRange, "end"), "Stage");
  EXPECT_EQ(error.code(), Code::kInternal);
  EXPECT(error.message().find("Iterator::Stage") != std::string::npos);
}

TINYTF_TEST(places_of_a_cycle) {
  const Cycle cycle{3, 2};
  CyclePosition position;
  std::vector<int64_t> places;
  for (int i = 0; i < 7; ++i) {
    places.push_back(position.place());
    position.advance(cycle, 3);
  }
  EXPECT(places == (std::vector<int64_t>{0, 0, 1, 1, 2, 2, 0}));
  position.jump(0);  // The block goes on.
  position.advance(cycle, 3);
  EXPECT_EQ(position.place(), 1);
  position.advance(cycle, 3);
  position.jump(2);  // Another block begins.
  position.advance(cycle, 3);
  EXPECT_EQ(position.place(), 2);
  position.skip(2);  // There are fewer places now.
  EXPECT_EQ(position.place(), 0);
  position.skip(0);
  EXPECT_EQ(position.place(), 0);
}

TINYTF_TEST(saved_places_of_a_cycle) {
  const Cycle cycle{3, 2};
  CyclePosition position;
  position.jump(2);
  position.advance(cycle, 3);
  IteratorState state;
  StateWriter writer(state);
  position.save(writer);
  CyclePosition other;
  EXPECT_OK(other.restore(StateReader(state), cycle, 3));
  other.advance(cycle, 3);
  EXPECT_EQ(other.place(), 0);
  EXPECT_EQ(other.restore(StateReader(state), cycle, 1).code(), Code::kDataLoss);
  EXPECT_EQ(other.restore(StateReader(state), {3, 1}, 3).code(), Code::kDataLoss);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

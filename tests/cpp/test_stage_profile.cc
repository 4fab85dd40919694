#include "data/stage_profile.h"

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::DataStep;
using testing::Script;
using testing::scripted;

class NoWaker final : public Waker {
 public:
  void wake() override {}
};

TINYTF_TEST(pulls_are_measured_inside_a_stage_only) {
  Script script(3);
  const RefPtr<const Dataset> dataset = scripted(script);
  const DataStep step;
  const auto tasks = make_ref<PipelineTasks>();
  const auto waker = make_ref<NoWaker>();
  PullContext ctx{{step.services, *tasks}, *waker};
  const auto iterator = dataset->make_iterator(ctx).take();
  Element element;
  EXPECT(iterator->next(ctx, element).value() == Pulled::kElement);
  EXPECT(tasks->profile() == nullptr);
  StageProfile& consumer = tasks->measure();
  EXPECT(&tasks->measure() == &consumer);
  {
    const AtStage measured(ctx, tasks->profile());
    script.hold(1);
    EXPECT(iterator->next(ctx, element).value() == Pulled::kPending);
    script.release();
    EXPECT(iterator->next(ctx, element).value() == Pulled::kElement);
    EXPECT(iterator->next(ctx, element).value() == Pulled::kElement);
    EXPECT(iterator->next(ctx, element).value() == Pulled::kEnd);
    EXPECT(measured.own() >= 0);
  }
  EXPECT(ctx.frame == nullptr);
  EXPECT_EQ(consumer.inputs().size(), 1u);
  const StageProfile& stage = *consumer.inputs()[0];
  EXPECT(stage.node() == dataset->origin().node);
  EXPECT_EQ(stage.counts().elements, 2);
  EXPECT_EQ(stage.counts().element_bytes, 8);
  EXPECT(stage.counts().waited >= stage.counts().own);
}

TINYTF_TEST(stages_of_one_node_are_one) {
  Script script(1);
  const RefPtr<const Dataset> dataset = scripted(script), other = scripted(script);
  StageProfile consumer;
  StageProfile& stage = consumer.input(*dataset);
  EXPECT(&consumer.input(*dataset) == &stage);
  EXPECT(&consumer.input(*other) != &stage);
  EXPECT(consumer.node() == nullptr);
}

TINYTF_TEST(calls_that_run_are_counted) {
  StageProfile stage;
  const StageFrame frame{&stage, 0};
  {
    const MeasuredCall call(&frame), none(nullptr);
    EXPECT_EQ(stage.counts().calls, 1);
    EXPECT(stage.counts().call_began > 0);
  }
  EXPECT_EQ(stage.counts().calls, 0);
  stage.set_held({3, 4, 2});
  EXPECT_EQ(stage.counts().held.elements, 3);
  EXPECT_EQ(stage.counts().held.most, 4);
  EXPECT_EQ(stage.counts().held.parallelism, 2);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

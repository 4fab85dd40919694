#include "data/iterator.h"

#include "services/thread_pool.h"
#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;

TINYTF_TEST(an_iteration_is_over_with_its_step) {
  testing::DataStep step;
  const auto tasks = make_ref<PipelineTasks>();
  const IteratorContext ctx{step.services, *tasks};
  EXPECT(&ctx.allocator() == step.services.allocator);
  EXPECT_EQ(ctx.nesting, 0);
  EXPECT_OK(ctx.check());
  step.cancellation.cancel();
  EXPECT_EQ(ctx.check().code(), Code::kCancelled);
}

/// Says when a step is over.
class Check final : public LoopStopCheck {
 public:
  bool is_over() override { return ++calls > 1; }
  int calls = 0;
};

TINYTF_TEST(an_iteration_asks_the_check_of_its_step) {
  testing::DataStep step;
  Check check;
  step.services.stop_check = &check;
  const auto tasks = make_ref<PipelineTasks>();
  const IteratorContext ctx{step.services, *tasks};
  EXPECT_OK(ctx.check());
  EXPECT_EQ(ctx.check().code(), Code::kCancelled);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

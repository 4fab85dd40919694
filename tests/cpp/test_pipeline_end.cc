#include "data/pipeline_end.h"

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::DataStep;
using testing::Script;
using testing::scripted;

TINYTF_TEST(stages_find_the_end_of_their_pipeline) {
  Script script(1);
  const auto dataset = scripted(script), inner = scripted(script);
  DataStep step;
  const auto tasks = make_ref<PipelineTasks>();
  IteratorContext ctx{step.services, *tasks};
  EXPECT_OK(make_last_iterator(ctx, *dataset).status());
  EXPECT(enclosing_dataset(ctx) == dataset.get());
  ctx.inner = inner.get();
  EXPECT(enclosing_dataset(ctx) == inner.get());
}

TINYTF_TEST(pipelines_whose_end_nobody_noted) {
  DataStep step;
  const auto tasks = make_ref<PipelineTasks>();
  const IteratorContext ctx{step.services, *tasks};
  EXPECT(enclosing_dataset(ctx) == nullptr);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

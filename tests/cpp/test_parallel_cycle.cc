#include "ops/data/shared/parallel_cycle.h"

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::DataStep;
using testing::OpenHost;

/// Counts its calls.
class Counts final : public FunctionInstance {
 public:
  Counts() : FunctionInstance({DType::kInt64}, {DType::kVariant}) {}
  std::atomic<int> calls{0};

 private:
  Status run(const KernelServices&, std::vector<Tensor>&, std::vector<Tensor>&) override {
    ++calls;
    return internal_error("no dataset");
  }
};

class Consumer final : public Waker {
 public:
  void wake() override {}
};

TINYTF_TEST(a_source_opens_nothing_for_a_consumer_that_has_gone) {
  testing::Script script(3);
  script.block(0);
  const auto host = make_ref<OpenHost>();
  const auto tasks = make_ref<PipelineTasks>();
  tasks->set_host(host.get());
  DataStep step;
  const auto consumer = make_ref<Consumer>();
  PullContext ctx{{step.services, *tasks}, *consumer};
  const auto function = make_ref<Counts>();
  auto parts = std::make_shared<ops::InnerBufferParts>();
  parts->function = std::make_shared<BoundFunction>(function, Element(), std::make_shared<const std::string>("f"));
  parts->limit = make_ref<ops::WorkLimit>(1);
  parts->stage = "Stage";
  ops::ParallelCycleOptions options;
  options.ahead = 3;
  const auto source =
      make_ref<ops::InnerSource>(ctx, testing::scripted(script)->make_iterator(ctx).take(), parts, options);
  RefPtr<ops::InnerBuffer> buffer;
  EXPECT(source->take(ctx, buffer).take() == Pulled::kPending);
  script.wait_until_blocked(1);
  source->abandon_all();
  script.let_go();
  {
    BackgroundStage::Pause pause(*source);  // Waits until the pull has ended.
    EXPECT_OK(pause.begin(ctx));
  }
  tasks->work().stop();
  EXPECT_EQ(function->calls.load(), 0);
  EXPECT(source->take(ctx, buffer).take() == Pulled::kPending);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

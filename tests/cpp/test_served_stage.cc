#include "ops/data/shared/served_stage.h"

#include <thread>

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;

class Consumer final : public Waker {
 public:
  void wake() override { ++count; }
  std::atomic<int> count{0};
};

/// A stage that works as the test says.
class Stage final : public ops::ServedStage {
 public:
  explicit Stage(const IteratorContext& ctx) : ServedStage(ctx) {}

  Status take(PullContext& ctx) {
    const std::lock_guard lock(mutex_);
    TINYTF_RETURN_IF_ERROR(take_failure());
    EXPECT(wait(ctx) == Pulled::kPending);
    return Status();
  }
  void fail(const Status& error) {
    const std::lock_guard lock(mutex_);
    keep_failure(error);
  }
  bool has_failure() const {
    const std::lock_guard lock(mutex_);
    return has_failed();
  }
  void begin() {
    const std::lock_guard lock(mutex_);
    begin_call();
  }
  void finish() {
    const std::lock_guard lock(mutex_);
    end_call();
  }
  using ServedStage::end;
  using ServedStage::end_by_exception;
  using ServedStage::is_abandoned;
  using ServedStage::wait_for_calls;
  using ServedStage::wake_consumer;

 private:
  void work(PullContext&) override {}
};

/// A stage, its consumer, and a step.
struct Served {
  testing::DataStep step;
  const RefPtr<PipelineTasks> tasks = make_ref<PipelineTasks>();
  const RefPtr<Consumer> consumer = make_ref<Consumer>();
  PullContext ctx{{step.services, *tasks}, *consumer};
  const RefPtr<Stage> stage = make_ref<Stage>(ctx);
};

TINYTF_TEST(a_consumer_that_waits_is_woken_once) {
  Served s;
  s.stage->wake_consumer();
  EXPECT_OK(s.stage->take(s.ctx));
  s.stage->wake_consumer();
  s.stage->wake_consumer();
  EXPECT_EQ(s.consumer->count.load(), 1);
}

TINYTF_TEST(an_error_of_a_stage_is_taken_once) {
  Served s;
  s.stage->fail(invalid_argument("bad"));
  EXPECT(s.stage->has_failure());
  EXPECT_EQ(s.stage->take(s.ctx).message(), "bad");
  EXPECT(!s.stage->has_failure());
  EXPECT_OK(s.stage->take(s.ctx));
}

TINYTF_TEST(ends_of_work_reach_consumers_that_wait) {
  Served s;
  s.stage->end(Status(Code::kCancelled, "closed"));  // No consumer waits: its next request starts the work again.
  EXPECT_OK(s.stage->take(s.ctx));
  s.stage->end(Status(Code::kCancelled, "closed"));
  EXPECT_EQ(s.consumer->count.load(), 1);
  EXPECT_EQ(s.stage->take(s.ctx).message(), "closed");
  s.stage->end_by_exception(internal_error("thrown"));  // An element may be lost, so that this is told later, too.
  EXPECT_EQ(s.stage->take(s.ctx).message(), "thrown");
}

TINYTF_TEST(consumers_that_have_gone_are_not_woken) {
  Served s;
  EXPECT_OK(s.stage->take(s.ctx));
  EXPECT(!s.consumer->unique());
  s.stage->abandon();
  EXPECT(s.stage->is_abandoned() && s.consumer->unique());
  s.stage->wake_consumer();
  EXPECT_EQ(s.consumer->count.load(), 0);
}

TINYTF_TEST(calls_are_waited_for) {
  Served s;
  EXPECT_OK(s.stage->wait_for_calls(s.ctx));
  s.stage->begin();
  s.stage->begin();
  std::thread caller([&] {
    s.stage->finish();
    s.stage->finish();
  });
  EXPECT_OK(s.stage->wait_for_calls(s.ctx));
  caller.join();
  s.stage->begin();
  s.step.cancellation.cancel();
  EXPECT_EQ(s.stage->wait_for_calls(s.ctx).code(), Code::kCancelled);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

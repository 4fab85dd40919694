#include "ops/data/shared/work_limit.h"

#include <functional>
#include <vector>

#include "tests/cpp/harness.h"
#include "tests/cpp/in_child.h"

namespace tinytf {
namespace TINYTF_FILE {

class Stage final : public data::Waker {
 public:
  void wake() override {
    ++wakes;
    if (on_wake) on_wake();
  }
  int wakes = 0;
  std::function<void()> on_wake;
};

TINYTF_TEST(stages_work_in_turn) {
  const auto limit = make_ref<ops::WorkLimit>(2);
  const auto a = make_ref<Stage>(), b = make_ref<Stage>(), c = make_ref<Stage>(), d = make_ref<Stage>();
  EXPECT(limit->enter(*a) && limit->enter(*b));
  for (const auto& stage : {c, d, c}) EXPECT(!limit->enter(*stage));
  limit->leave();
  EXPECT(c->wakes == 1 && d->wakes == 0);
  EXPECT(limit->enter(*c));
  limit->leave();
  EXPECT(c->wakes == 1 && d->wakes == 1);
  EXPECT(limit->enter(*d) && !limit->enter(*a));
}

TINYTF_TEST(a_stage_that_cannot_work_passes_its_turn_on) {
  const auto limit = make_ref<ops::WorkLimit>(1);
  const auto working = make_ref<Stage>(), last = make_ref<Stage>();
  EXPECT(limit->enter(*working));
  // Many, because they must not be woken one inside the other.
  int depth = 0;
  std::vector<RefPtr<Stage>> ended;
  for (int i = 0; i < 20'000; ++i) {
    ended.push_back(make_ref<Stage>());
    ended.back()->on_wake = [&] {
      EXPECT_EQ(++depth, 1);
      limit->wake_next();
      --depth;
    };
    EXPECT(!limit->enter(*ended.back()));
  }
  EXPECT(!limit->enter(*last));
  limit->leave();
  for (const auto& stage : ended) EXPECT_EQ(stage->wakes, 1);
  EXPECT_EQ(last->wakes, 1);
}

TINYTF_TEST(a_limit_of_work_is_unused_in_a_child) {
  const auto limit = make_ref<ops::WorkLimit>(1);
  const auto one = make_ref<Stage>(), two = make_ref<Stage>();
  EXPECT(limit->enter(*one));
  EXPECT(!limit->enter(*two));
  EXPECT(testing::holds_in_child([&] {
    const bool enters = limit->enter(*one), enters_again = limit->enter(*two);
    limit->leave();
    return enters && !enters_again && two->wakes == 1;
  }));
  EXPECT(!limit->enter(*two));
  limit->leave();
  EXPECT_EQ(two->wakes, 1);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "ops/data/shared/parallel_calls.h"

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using ops::CallLimits;
using ops::ParallelCalls;

/// Adds 10 to numbers. Calls may wait for the test.
class AddTen final : public FunctionInstance {
 public:
  AddTen() : FunctionInstance({DType::kInt64}, {DType::kInt64}) {}

  /// The call with this number waits; -1: none.
  void hold(int64_t number) {
    const std::lock_guard lock(mutex_);
    held_ = number;
    changed_.notify_all();
  }
  int most_running() const {
    const std::lock_guard lock(mutex_);
    return most_;
  }

 private:
  Status run(const KernelServices&, std::vector<Tensor>& arguments, std::vector<Tensor>& results) override {
    const int64_t number = arguments[0].int_at(0);
    std::unique_lock lock(mutex_);
    most_ = std::max(most_, ++running_);
    changed_.wait(lock, [&] { return held_ != number; });
    --running_;
    results = {Tensor::scalar(number + 10)};
    return number == 5 ? invalid_argument("five") : Status();
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int64_t held_ = -1;
  int running_ = 0, most_ = 0;
};

class Consumer final : public Waker {
 public:
  void wake() override { woken.set(); }
  testing::Event woken;
};

struct Calls {
  Calls(testing::Script& script, CallLimits limits) {
    tasks->set_host(host.get());
    IteratorContext ctx{step.services, *tasks};
    calls = make_ref<ParallelCalls>(
        ctx, testing::scripted(script)->make_iterator(ctx).take(),
        std::make_unique<BoundFunction>(function, Element(), std::make_shared<const std::string>("f")),
        std::move(limits));
  }
  ~Calls() { tasks->work().stop(); }

  /// The next number, -1 for an error, or -2 at the end.
  int64_t next() {
    for (;;) {
      const auto consumer = make_ref<Consumer>();
      PullContext ctx{{step.services, *tasks}, *consumer};
      ParallelCalls::Outcome outcome;
      const Pulled pulled = calls->take(ctx, outcome).value();
      EXPECT(calls->held().elements <= calls->held().most);
      if (pulled == Pulled::kEnd) return -2;
      if (pulled == Pulled::kElement) return outcome.status.ok() ? testing::number_of(outcome.element) : -1;
      consumer->woken.wait();
    }
  }
  std::vector<int64_t> rest() {
    std::vector<int64_t> numbers;
    while (numbers.empty() || numbers.back() != -2) numbers.push_back(next());
    return numbers;
  }

  const RefPtr<testing::OpenHost> host = make_ref<testing::OpenHost>();
  testing::DataStep step{host.get()};
  const RefPtr<PipelineTasks> tasks = make_ref<PipelineTasks>();
  const RefPtr<AddTen> function = make_ref<AddTen>();
  RefPtr<ParallelCalls> calls;
};

using Numbers = std::vector<int64_t>;

TINYTF_TEST(results_of_calls_come_in_order) {
  testing::Script script(7);
  script.errors[2] = not_found("two");
  Calls calls(script, {3, 4});
  EXPECT(calls.rest() == Numbers({10, 11, -1, 13, 14, -1, 16, -2}));
  EXPECT_EQ(calls.next(), -2);
  EXPECT(calls.function->most_running() <= 3);
}

TINYTF_TEST(results_of_calls_come_as_they_are_made) {
  testing::Script script(3);
  Calls calls(script, {2, 3, /*in_order=*/false});
  const bool has_threads = ThreadPool::process().size() > 1;
  if (has_threads) calls.function->hold(0);
  Numbers numbers = {calls.next()};
  EXPECT(!has_threads || numbers[0] > 10);
  calls.function->hold(-1);
  for (const int64_t number : calls.rest()) numbers.push_back(number);
  std::sort(numbers.begin(), numbers.end());
  EXPECT(numbers == Numbers({-2, 10, 11, 12}));
}

TINYTF_TEST(results_of_calls_are_saved) {
  testing::Script script(4);
  script.errors[1] = not_found("one");
  Calls calls(script, {2, 4});
  EXPECT_EQ(calls.next(), 10);
  IteratorState state;
  IteratorContext ctx{calls.step.services, *calls.tasks};
  StateWriter writer(state);
  EXPECT_OK(calls.calls->save(ctx, writer));
  calls.tasks->release_held();
  Calls again(script, {2, 4});
  StateReader reader(state);
  IteratorContext other{again.step.services, *again.tasks};
  EXPECT_OK(again.calls->restore(other, reader, *testing::spec_of_int()));
  EXPECT(again.rest() == Numbers({-1, 12, 13, -2}));
  state["results"] = Tensor::scalar(int64_t{1000});
  EXPECT_EQ(again.calls->restore(other, reader, *testing::spec_of_int()).code(), Code::kDataLoss);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

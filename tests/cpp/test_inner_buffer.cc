#include "ops/data/shared/inner_buffer.h"

#include "tests/cpp/data_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::DataStep;
using testing::OpenHost;

/// A function of no arguments that yields the same dataset in each call.
class Yields final : public FunctionInstance {
 public:
  explicit Yields(RefPtr<const Dataset> dataset)
      : FunctionInstance({}, {DType::kVariant}), dataset_(std::move(dataset)) {}

 private:
  Status run(const KernelServices&, std::vector<Tensor>&, std::vector<Tensor>& results) override {
    TINYTF_ASSIGN_OR_RETURN(Tensor value, tensor_of(dataset_));
    results = {std::move(value)};
    return Status();
  }

  const RefPtr<const Dataset> dataset_;
};

std::shared_ptr<BoundFunction> that_yields(RefPtr<const Dataset> dataset) {
  return std::make_shared<BoundFunction>(make_ref<Yields>(std::move(dataset)), Element(),
                                         std::make_shared<const std::string>("f"));
}

/// One number, by an iterator that is not made before the test lets it.
class SlowlyOpened final : public Dataset {
 public:
  SlowlyOpened() : Dataset(testing::scripted_parts()) {}

  Result<std::unique_ptr<Iterator>> make_iterator(IteratorContext& ctx) const override {
    begun.set();
    may_end.wait();
    return inner_->make_iterator(ctx);
  }

  mutable testing::Event begun, may_end;

 private:
  mutable testing::Script script_{1};
  const RefPtr<const Dataset> inner_ = testing::scripted(script_);
};

/// The stage to which buffers belong.
class Maker final : public ops::ServedStage {
 public:
  explicit Maker(const IteratorContext& ctx) : ServedStage(ctx) {}

 private:
  void work(PullContext&) override {}
};

RefPtr<ops::InnerBuffer> buffer_of(const IteratorContext& ctx, std::shared_ptr<const ops::InnerBufferParts> parts) {
  return make_ref<ops::InnerBuffer>(*make_ref<Maker>(ctx), std::move(parts), 0);
}

/// A pipeline with buffers of datasets that a script describes.
struct Buffers {
  explicit Buffers(testing::Script& script, int64_t working = 1, int64_t room = 1) {
    tasks->set_host(host.get());
    parts->function = that_yields(testing::scripted(script));
    parts->limit = make_ref<ops::WorkLimit>(working);
    parts->room = room;
    parts->stage = "Stage";
  }
  ~Buffers() { tasks->work().stop(); }
  RefPtr<ops::InnerBuffer> make() const { return buffer_of({step.services, *tasks}, parts); }
  /// The numbers that the buffer yields until its end; -1 for an error.
  std::vector<int64_t> numbers_of(ops::InnerBuffer& buffer) const;

  const RefPtr<OpenHost> host = make_ref<OpenHost>();
  const RefPtr<PipelineTasks> tasks = make_ref<PipelineTasks>();
  const std::shared_ptr<ops::InnerBufferParts> parts = std::make_shared<ops::InnerBufferParts>();
  DataStep step;
};

class Consumer final : public Waker {
 public:
  void wake() override { woken.set(); }
  testing::Event woken;
};

std::vector<int64_t> Buffers::numbers_of(ops::InnerBuffer& buffer) const {
  std::vector<int64_t> numbers;
  for (;;) {
    const auto consumer = make_ref<Consumer>();
    PullContext ctx{{step.services, *tasks}, *consumer};
    Element element;
    const Result<Pulled> pulled = buffer.take(ctx, element);
    if (pulled.ok() && pulled.value() == Pulled::kEnd) return numbers;
    if (pulled.ok() && pulled.value() == Pulled::kPending) {
      consumer->woken.wait();
    } else {
      numbers.push_back(pulled.ok() ? testing::number_of(element) : -1);
    }
  }
}

/// Counts the tasks that have ended.
class CountingHost final : public BackgroundHost {
 public:
  bool run(Cancellation& cancellation, FunctionRef<void(const KernelServices&)> work) override {
    const bool is_open = host_->run(cancellation, [&](const KernelServices& services) {
      KernelServices own = services;
      own.background = this;
      work(own);
    });
    const std::lock_guard lock(mutex_);
    ++ended_;
    changed_.notify_all();
    return is_open;
  }
  void wait_for(int tasks) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return ended_ >= tasks; });
  }

 private:
  const RefPtr<OpenHost> host_ = make_ref<OpenHost>();
  std::mutex mutex_;
  std::condition_variable changed_;
  int ended_ = 0;
};

TINYTF_TEST(a_dataset_that_is_being_opened_has_not_ended) {
  const auto host = make_ref<OpenHost>();
  const auto tasks = make_ref<PipelineTasks>();
  tasks->set_host(host.get());
  const auto dataset = make_ref<SlowlyOpened>();
  DataStep step;
  const auto consumer = make_ref<Consumer>();
  PullContext ctx{{step.services, *tasks}, *consumer};

  auto parts = std::make_shared<ops::InnerBufferParts>();
  parts->function = that_yields(dataset);
  parts->limit = make_ref<ops::WorkLimit>(1);
  parts->stage = "Stage";
  const auto buffer = buffer_of(ctx, parts);
  buffer->begin({});
  dataset->begun.wait();
  Element element;
  EXPECT(buffer->take(ctx, element).take() == Pulled::kPending);
  dataset->may_end.set();
  consumer->woken.wait();
  EXPECT(buffer->take(ctx, element).take() == Pulled::kElement);
  EXPECT_EQ(testing::number_of(element), 0);
  buffer->abandon();
  tasks->work().stop();
}

TINYTF_TEST(the_end_of_a_pipeline_reaches_buffers_that_wait_for_their_turn) {
  testing::Script script(1);
  Buffers buffers(script);
  const auto host = make_ref<CountingHost>();
  buffers.tasks->set_host(host.get());
  const auto other = make_ref<Consumer>();  // A stage that works all the time.
  EXPECT(buffers.parts->limit->enter(*other));
  int tasks = 0;
  std::vector<RefPtr<ops::InnerBuffer>> waiting;
  std::vector<RefPtr<Consumer>> consumers;
  Element element;
  for (int i = 0; i < 3; ++i) {
    waiting.push_back(buffers.make());
    waiting.back()->begin({});
    host->wait_for(++tasks);
    consumers.push_back(make_ref<Consumer>());
    PullContext ctx{{buffers.step.services, *buffers.tasks}, *consumers.back()};
    EXPECT(waiting.back()->take(ctx, element).take() == Pulled::kPending);
    host->wait_for(++tasks);
  }
  buffers.tasks->work().cancel();
  buffers.parts->limit->leave();
  for (size_t i = 0; i < waiting.size(); ++i) {
    consumers[i]->woken.wait();
    PullContext ctx{{buffers.step.services, *buffers.tasks}, *consumers[i]};
    EXPECT_EQ(waiting[i]->take(ctx, element).status().code(), Code::kCancelled);
  }
}

TINYTF_TEST(a_buffer_makes_nothing_more_when_its_pipeline_has_ended) {
  constexpr int64_t kRoom = 1000;
  testing::Script script(kRoom);
  script.block(0);
  Buffers buffers(script, 1, kRoom);
  const auto buffer = buffers.make();
  buffer->begin({});
  script.wait_until_blocked(1);
  buffers.tasks->work().cancel();
  script.let_go();
  buffers.tasks->work().stop();
  const auto consumer = make_ref<Consumer>();
  PullContext ctx{{buffers.step.services, *buffers.tasks}, *consumer};
  Element element;
  EXPECT(buffer->take(ctx, element).take() == Pulled::kElement);
  EXPECT(buffer->take(ctx, element).take() == Pulled::kPending);
}

TINYTF_TEST(a_buffer_goes_on_in_another_session) {
  testing::Script script(2);
  Buffers buffers(script);
  const auto buffer = buffers.make();
  buffers.tasks->set_host(nullptr);
  buffer->begin({});  // Fails, but no consumer waits.
  buffers.tasks->set_host(buffers.host.get());
  EXPECT(buffers.numbers_of(*buffer) == std::vector<int64_t>({0, 1}));
}

TINYTF_TEST(an_exception_takes_the_place_of_an_element_of_a_buffer) {
  testing::Script script(4);
  script.throws = {1};
  Buffers buffers(script, 1, 4);
  const auto buffer = buffers.make();
  buffer->begin({});
  EXPECT(buffers.numbers_of(*buffer) == std::vector<int64_t>({0, -1, 2, 3}));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

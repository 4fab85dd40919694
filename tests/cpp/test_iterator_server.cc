#include "data/iterator_server.h"

#include <thread>

#include "tests/cpp/data_fixture.h"
#include "tests/cpp/in_child.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace data;
using testing::DataStep;
using testing::Event;
using testing::number_of;
using testing::OpenHost;
using testing::Script;
using testing::scripted;

/// The request of one step. Must be done before it is destroyed.
class Request {
 public:
  explicit Request(BackgroundHost* host) : step(host) {}

  Request& ask(IteratorServer& server) {
    testing::ask(server, step.services, [this](IteratorServer::Outcome outcome) {
      outcome_ = std::move(outcome);
      EXPECT_EQ(++calls_, 1);
      done_.set();
    });
    return *this;
  }
  bool is_done() const { return calls_ > 0; }
  /// Waits. The number that came; -1 at the end; the negative code of an error, minus 100.
  int64_t number() {
    done_.wait();
    if (!outcome_.pulled.ok()) return -100 - static_cast<int64_t>(outcome_.pulled.status().code());
    EXPECT(outcome_.pulled.value() != Pulled::kPending);
    return outcome_.pulled.value() == Pulled::kEnd ? -1 : number_of(outcome_.element);
  }

  DataStep step;

 private:
  Event done_;
  std::atomic<int> calls_{0};
  IteratorServer::Outcome outcome_;
};

constexpr int64_t error_number(Code code) { return -100 - static_cast<int64_t>(code); }

struct Served {
  explicit Served(int64_t count) : script(count) {}
  ~Served() {
    script.let_go();
    if (made_) made_->stop(/*waits=*/true);
  }
  /// Made at the first use, after the script.
  IteratorServer& server() {
    if (!made_) {
      const DataStep step(host.get());
      made_ = IteratorServer::of(*scripted(script), step.services).take();
    }
    return *made_;
  }
  int64_t next() { return Request(host.get()).ask(server()).number(); }
  IteratorState saved() {
    const DataStep step(host.get());
    IteratorState state;
    StateWriter writer(state);
    EXPECT_OK(server().save(step.services, writer));
    return state;
  }
  Status restore(const IteratorState& state) {
    const DataStep step(host.get());
    StateReader reader(state);
    return server().restore(step.services, reader);
  }

  const RefPtr<OpenHost> host = make_ref<OpenHost>();
  Script script;

 private:
  RefPtr<IteratorServer> made_;
};

TINYTF_TEST(a_server_hands_elements_out_in_order) {
  Served served(3);
  for (const int64_t expected : {0, 1, 2, -1, -1}) EXPECT_EQ(served.next(), expected);
}

TINYTF_TEST(steps_are_served_in_the_order_in_which_they_ask) {
  Served served(5);
  served.script.hold(0);
  Request a(served.host.get()), b(served.host.get()), c(served.host.get());
  for (Request* request : {&a, &b, &c}) request->ask(served.server());
  EXPECT(!a.is_done() && !b.is_done() && !c.is_done());
  served.script.release();
  EXPECT_EQ(c.number(), 2);
  EXPECT_EQ(a.number(), 0);
  EXPECT_EQ(b.number(), 1);
  EXPECT_EQ(served.next(), 3);
}

TINYTF_TEST(a_cancelled_step_leaves_the_line) {
  Served served(3);
  served.script.hold(0);
  Request a(served.host.get()), b(served.host.get()), c(served.host.get());
  for (Request* request : {&a, &b, &c}) request->ask(served.server());
  a.step.cancellation.cancel();
  EXPECT_EQ(a.number(), error_number(Code::kCancelled));
  b.step.cancellation.cancel();
  EXPECT_EQ(b.number(), error_number(Code::kCancelled));
  EXPECT(!c.is_done());
  served.script.release();
  EXPECT_EQ(c.number(), 0);
}

TINYTF_TEST(a_step_that_is_over_does_not_wait) {
  Served served(3);
  served.script.hold(0);
  Request a(served.host.get()), b(served.host.get());
  a.step.cancellation.cancel();
  EXPECT_EQ(a.ask(served.server()).number(), error_number(Code::kCancelled));
  b.ask(served.server());
  Request c(served.host.get());
  c.step.cancellation.cancel();
  EXPECT_EQ(c.ask(served.server()).number(), error_number(Code::kCancelled));
  served.script.release();
  EXPECT_EQ(b.number(), 0);
}

/// Lets the element 0 be pulled for a step that is cancelled meanwhile.
void pull_for_a_cancelled_step(Served& served) {
  served.script.hold(0);
  served.script.block(0);
  Request request(served.host.get());
  request.ask(served.server());
  served.script.release();
  served.script.wait_until_blocked(1);
  request.step.cancellation.cancel();
  EXPECT_EQ(request.number(), error_number(Code::kCancelled));
  served.script.let_go();
}

TINYTF_TEST(an_element_for_a_cancelled_step_goes_to_the_next_one) {
  for (int round = 0; round < 50; ++round) {
    Served served(3);
    pull_for_a_cancelled_step(served);
    for (const int64_t expected : {0, 1, 2, -1}) EXPECT_EQ(served.next(), expected);
  }
}

TINYTF_TEST(an_error_for_a_cancelled_step_goes_to_the_next_one) {
  Served served(2);
  served.script.errors[0] = invalid_argument("bad");
  pull_for_a_cancelled_step(served);
  EXPECT_EQ(served.next(), error_number(Code::kInvalidArgument));
  EXPECT_EQ(served.next(), 1);
}

TINYTF_TEST(a_saved_position_has_the_element_of_a_cancelled_step) {
  Served served(3);
  pull_for_a_cancelled_step(served);
  const IteratorState state = served.saved();
  EXPECT_EQ(served.next(), 0);
  Served other(3);
  EXPECT_OK(other.restore(state));
  for (const int64_t expected : {0, 1, 2, -1}) EXPECT_EQ(other.next(), expected);
  // A hostile position claims more elements than it has, or other ones.
  IteratorState damaged = state;
  damaged["ready/count"] = Tensor::scalar(INT64_MAX);
  EXPECT_EQ(Served(3).restore(damaged).code(), Code::kDataLoss);
  damaged["ready/count"] = Tensor::scalar(int64_t{-1});
  EXPECT_EQ(Served(3).restore(damaged).code(), Code::kDataLoss);
  damaged = state;
  damaged["ready/0/0"] = Tensor::scalar(1.f);
  EXPECT_EQ(Served(3).restore(damaged).code(), Code::kDataLoss);
  damaged.erase("ready/0/0");
  EXPECT_EQ(Served(3).restore(damaged).code(), Code::kDataLoss);
  damaged.clear();
  EXPECT_EQ(Served(3).restore(damaged).code(), Code::kDataLoss);
}

TINYTF_TEST(positions_are_saved_and_restored) {
  Served served(4);
  for (int64_t taken = 0; taken <= 5; ++taken) {
    Served other(4);
    EXPECT_OK(other.restore(served.saved()));
    const int64_t expected = served.next();
    EXPECT_EQ(other.next(), expected);
    EXPECT_EQ(expected, taken < 4 ? taken : -1);
  }
}

TINYTF_TEST(saving_waits_for_a_pull) {
  Served served(3);
  served.script.block(1);
  EXPECT_EQ(served.next(), 0);
  int64_t pulled = -2;
  std::thread puller([&] { pulled = served.next(); });
  served.script.wait_until_blocked(1);
  {
    DataStep over(served.host.get());
    over.cancellation.cancel();
    IteratorState state;
    StateWriter writer(state);
    EXPECT_EQ(served.server().save(over.services, writer).code(), Code::kCancelled);
    EXPECT(state.empty());
  }
  std::thread saver([&] {
    Served other(3);
    EXPECT_OK(other.restore(served.saved()));
    EXPECT_EQ(other.next(), 2);
  });
  served.script.let_go();
  puller.join();
  saver.join();
  EXPECT_EQ(pulled, 1);
}

TINYTF_TEST(errors_and_exceptions_take_the_place_of_elements) {
  Served served(4);
  served.script.errors[1] = invalid_argument("bad");
  served.script.throws = {2};
  EXPECT_EQ(served.next(), 0);
  EXPECT_EQ(served.next(), error_number(Code::kInvalidArgument));
  EXPECT_EQ(served.next(), error_number(Code::kInternal));
  EXPECT_EQ(served.next(), 3);
  // The same on the thread of a task.
  Served waiting(4);
  waiting.script.errors[1] = invalid_argument("bad");
  waiting.script.throws = {2};
  waiting.script.hold(0);
  Request a(waiting.host.get()), b(waiting.host.get()), c(waiting.host.get()), d(waiting.host.get());
  for (Request* request : {&a, &b, &c, &d}) request->ask(waiting.server());
  waiting.script.release();
  EXPECT_EQ(a.number(), 0);
  EXPECT_EQ(b.number(), error_number(Code::kInvalidArgument));
  EXPECT_EQ(c.number(), error_number(Code::kInternal));
  EXPECT_EQ(d.number(), 3);
}

TINYTF_TEST(stopping_a_server_ends_what_waits) {
  for (const bool waits : {false, true}) {
    Served served(3);
    served.script.hold(0);
    Request a(served.host.get()), b(served.host.get());
    a.ask(served.server());
    b.ask(served.server());
    served.server().stop(waits);
    EXPECT_EQ(a.number(), error_number(Code::kCancelled));
    EXPECT_EQ(b.number(), error_number(Code::kCancelled));
    EXPECT_EQ(served.next(), error_number(Code::kCancelled));
    IteratorState state;
    StateWriter writer(state);
    EXPECT_EQ(served.server().save(a.step.services, writer).code(), Code::kCancelled);
    served.script.release();
    served.server().stop(waits);
  }
}

TINYTF_TEST(stopping_a_server_waits_for_its_task) {
  Served served(3);
  served.script.hold(0);
  served.script.block(0);
  Request request(served.host.get());
  request.ask(served.server());
  served.script.release();
  served.script.wait_until_blocked(1);
  std::atomic<bool> has_stopped{false};
  std::thread stopper([&] {
    served.server().stop(/*waits=*/true);
    has_stopped = true;
  });
  EXPECT_EQ(request.number(), error_number(Code::kCancelled));
  EXPECT(!has_stopped);
  served.script.let_go();
  stopper.join();
}

TINYTF_TEST(a_server_ends_what_waits_in_a_closed_session) {
  Served served(3);
  served.script.hold(0);
  Request a(served.host.get());
  a.ask(served.server());
  served.host->closed = true;
  served.script.release();
  EXPECT_EQ(a.number(), error_number(Code::kCancelled));
  // Another session goes on.
  const auto other = make_ref<OpenHost>();
  served.script.hold(0);
  Request b(other.get());
  b.ask(served.server());
  served.script.release();
  EXPECT_EQ(b.number(), 0);
}

TINYTF_TEST(a_step_in_a_background_task_needs_no_further_thread) {
  const testing::BusyPool busy;
  const auto host = make_ref<OpenHost>();
  Script script(3);
  const Tensor prefetched =
      testing::dataset_of_op("PrefetchDataset", {tensor_of(scripted(script)).take(), Tensor::scalar(int64_t{1})});
  const DataStep step(host.get());
  const auto server = IteratorServer::of(*dataset_of(prefetched).take(), step.services).take();
  BackgroundWork work;
  testing::Ends ends;
  const auto task = [&](const KernelServices&) {
    for (const int64_t expected : {0, 1, 2, -1}) {
      Request request(host.get());
      EXPECT(request.ask(*server).is_done());
      EXPECT_EQ(request.number(), expected);
    }
    return Status();
  };
  EXPECT_OK(work.start(*host, task, ends.one()));
  EXPECT(work.run_queued());
  EXPECT_OK(ends.wait_for(1)[0]);
  server->stop(/*waits=*/true);
}

/// Yields numbers; every pull is pending at first and is woken at once, by another thread.
class Racing final : public Dataset {
 public:
  explicit Racing(int64_t count) : Dataset(testing::scripted_parts()), count_(count) {}
  Result<std::unique_ptr<Iterator>> make_iterator(IteratorContext&) const override {
    return std::unique_ptr<Iterator>(std::make_unique<It>(*this));
  }

 private:
  class It final : public IteratorOf<Racing> {
   public:
    using IteratorOf::IteratorOf;
    Result<Pulled> pull(PullContext& ctx, Element& element) override {
      if (at_ == dataset().count_) return Pulled::kEnd;
      if ((is_waiting_ = !is_waiting_)) {
        ThreadPool::process().schedule([waker = RefPtr<Waker>::share(&ctx.waker)] { waker->wake(); });
        return Pulled::kPending;
      }
      element = {Tensor::scalar(at_++)};
      return Pulled::kElement;
    }
    Status save(IteratorContext&, StateWriter&) override { return Status(); }
    Status restore(IteratorContext&, StateReader&) override { return Status(); }

   private:
    int64_t at_ = 0;
    bool is_waiting_ = false;
  };

  const int64_t count_;
};

TINYTF_TEST(wakes_race_with_pulls) {
  constexpr int64_t kCount = 2000;
  constexpr int kThreads = 4;
  const auto host = make_ref<OpenHost>();
  const DataStep step(host.get());
  const auto server = IteratorServer::of(*make_ref<Racing>(kCount), step.services).take();
  std::mutex mutex;
  std::set<int64_t> all;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      int64_t last = -1;
      for (;;) {
        const int64_t number = Request(host.get()).ask(*server).number();
        if (number == -1) return;
        EXPECT(number > last);
        last = number;
        const std::lock_guard lock(mutex);
        EXPECT(all.insert(number).second);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(all.size(), static_cast<size_t>(kCount));
  server->stop(/*waits=*/true);
}

TINYTF_TEST(a_server_goes_on_in_a_child) {
  Served served(4);
  EXPECT_EQ(served.next(), 0);
  served.script.hold(1);
  Request request(served.host.get());
  request.ask(served.server());
  EXPECT(testing::holds_in_child([&] {
    if (!testing::kChildrenStartThreads) return true;
    // The step of the parent waits in the parent only.
    served.script.release();
    return served.next() == 1 && served.next() == 2 && !served.saved().empty();
  }));
  served.script.release();
  EXPECT_EQ(request.number(), 1);
  EXPECT_EQ(served.next(), 2);
}

TINYTF_TEST(a_server_that_pulls_at_a_fork_fails_in_the_child) {
  Served served(4);
  served.script.block(0);
  std::thread puller([&] { EXPECT_EQ(served.next(), 0); });
  served.script.wait_until_blocked(1);
  EXPECT(testing::holds_in_child([&] { return served.next() == error_number(Code::kAborted); }));
  served.script.let_go();
  puller.join();
  EXPECT_EQ(served.next(), 1);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

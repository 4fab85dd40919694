#include <atomic>
#include <memory>
#include <random>
#include <set>

#include "data/iterator_server.h"
#include "tests/cpp/data_fixture.h"
#include "tests/stress/graphs.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;
using data::IteratorServer;
using data::Pulled;

constexpr int kPrefetches = 3;

/// The numbers below `count`, which several tasks prefetch.
Tensor prefetched(int64_t count) {
  Tensor made = dataset_of_op("RangeDataset",
                              {Tensor::scalar<int64_t>(0), Tensor::scalar<int64_t>(count), Tensor::scalar<int64_t>(1)});
  for (int i = 0; i < kPrefetches; ++i)
    made = dataset_of_op("PrefetchDataset", {made, Tensor::scalar<int64_t>(i == 1 ? -1 : i + 1)});
  return made;
}

/// A request for an element, which may be cancelled. Must have been answered before it is destroyed.
class Ask {
 public:
  Ask(IteratorServer& server, BackgroundHost* host) : step(host) {
    testing::ask(server, step.services, [this](IteratorServer::Outcome outcome) {
      outcome_ = std::move(outcome);
      done_.set();
    });
  }
  const IteratorServer::Outcome& answer() {
    done_.wait();
    return outcome_;
  }

  DataStep step;

 private:
  Event done_;
  IteratorServer::Outcome outcome_;
};

RefPtr<IteratorServer> server_of(const Tensor& dataset, BackgroundHost* host) {
  const DataStep step(host);
  return IteratorServer::of(*data::dataset_of(dataset).value(), step.services).take();
}

// Cancelled steps lose no element and change no order.
TINYTF_TEST(every_prefetched_element_comes_once) {
  constexpr int kThreads = 4;
  constexpr int64_t kCount = 300;
  const Tensor numbers = prefetched(kCount);
  for (int round = 0; round < rounds(10); ++round) {
    const auto host = make_ref<OpenHost>();
    const auto server = server_of(numbers, host.get());
    std::mutex mutex;
    std::set<int64_t> all;
    on_threads(kThreads, [&](int t) {
      std::mt19937 random(static_cast<uint32_t>(round * kThreads + t));
      int64_t last = -1;
      for (;;) {
        Ask ask(*server, host.get());
        if (random() % 3 == 0) ask.step.cancellation.cancel();
        const IteratorServer::Outcome& answer = ask.answer();
        if (!answer.pulled.ok()) {
          EXPECT_EQ(answer.pulled.status().code(), Code::kCancelled);
          continue;
        }
        if (answer.pulled.value() == Pulled::kEnd) return;
        const int64_t value = number_of(answer.element);
        EXPECT(value > last);
        last = value;
        const std::lock_guard lock(mutex);
        EXPECT(all.insert(value).second);
      }
    });
    EXPECT_EQ(all.size(), static_cast<size_t>(kCount));
    server->stop(/*waits=*/true);
  }
}

// Positions that are saved while others pull are where the next element comes from.
TINYTF_TEST(positions_are_saved_between_pulls) {
  constexpr int64_t kCount = 200;
  const Tensor numbers = prefetched(kCount);
  for (int round = 0; round < rounds(5); ++round) {
    const auto host = make_ref<OpenHost>();
    const auto server = server_of(numbers, host.get());
    std::atomic<int64_t> pulled{0};
    on_threads(3, [&](int t) {
      if (t > 0) {
        while (Ask(*server, host.get()).answer().pulled.value() == Pulled::kElement) ++pulled;
        return;
      }
      for (int i = 0; i < 10; ++i) {
        const DataStep step(host.get());
        data::IteratorState state;
        data::StateWriter writer(state);
        const int64_t before = pulled;
        EXPECT_OK(server->save(step.services, writer));
        const auto other = server_of(numbers, host.get());
        data::StateReader reader(state);
        EXPECT_OK(other->restore(step.services, reader));
        Ask ask(*other, host.get());
        const bool is_element = ask.answer().pulled.value() == Pulled::kElement;
        EXPECT(!is_element || number_of(ask.answer().element) >= before);
        other->stop(/*waits=*/false);
      }
    });
    server->stop(/*waits=*/true);
  }
}

TINYTF_TEST(pipelines_are_stopped_and_destroyed_while_they_work) {
  constexpr int kThreads = 4;
  const Tensor numbers = prefetched(INT64_MAX);
  std::mt19937 random(1);
  for (int round = 0; round < rounds(40); ++round) {
    const auto host = make_ref<OpenHost>();
    auto server = server_of(numbers, host.get());
    const int how = static_cast<int>(random() % 4);
    on_threads(kThreads + 1, [&](int t) {
      if (t == kThreads) {
        for (int i = 0; i < 3; ++i) (void)Ask(*server, host.get()).answer();
        if (how == 0) host->closed = true;
        if (how > 0) server->stop(/*waits=*/how == 1);
        return;
      }
      std::mt19937 own(static_cast<uint32_t>(round * kThreads + t));
      for (int i = 0; i < 100; ++i) {
        Ask ask(*server, host.get());
        if (own() % 2 == 0) ask.step.cancellation.cancel();
        const auto& pulled = ask.answer().pulled;
        EXPECT(pulled.ok() || pulled.status().code() == Code::kCancelled);
      }
    });
    server.reset();
  }
}

/// An iterator in a graph, with a step that takes an element.
struct IteratorSteps {
  IteratorSteps() {
    const std::vector<AttrMap::Item> spec = {{"output_types", std::vector<DType>{DType::kInt64}},
                                             {"output_shapes", std::vector<PartialShape>{PartialShape::scalar()}}};
    const auto with = [&](std::vector<AttrMap::Item> more) {
      more.insert(more.end(), spec.begin(), spec.end());
      return more;
    };
    const Endpoint zero = constant(*graph, "zero", Tensor::scalar<int64_t>(0)),
                   one = constant(*graph, "one", Tensor::scalar<int64_t>(1));
    const Endpoint many = constant(*graph, "many", Tensor::scalar<int64_t>(INT64_MAX)),
                   two = constant(*graph, "two", Tensor::scalar<int64_t>(2));
    Endpoint made = {add(*graph, "RangeDataset", "range", {zero, many, one}, spec), 0};
    for (const char* name : {"first", "second"}) {
      made = {add(*graph, "PrefetchDataset", name, {made, two}, spec), 0};
    }
    const Endpoint handle = {
        add(*graph, "IteratorV2", "it", {}, with({{"shared_name", std::string()}, {"container", std::string()}})), 0};
    make.targets = {add(*graph, "MakeIterator", "make", {made, handle})};
    take.fetches = {{add(*graph, "IteratorGetNext", "take", {handle}, spec), 0}};
  }

  RefPtr<Graph> graph = make_ref<Graph>();
  RunSignature make, take;
};

TINYTF_TEST(iterators_start_over_and_end_with_their_session) {
  constexpr int kThreads = 4;
  IteratorSteps steps;
  for (int round = 0; round < rounds(20); ++round) {
    const auto session = threaded_session(steps.graph);
    EXPECT_OK(run(*session, steps.make, {}).status());
    Latch some_steps(20 + round);
    on_threads(kThreads + 1, [&](int t) {
      if (t == kThreads) {
        some_steps.wait();
        EXPECT_OK(session->close());
        return;
      }
      bool is_open = true;
      for (int i = 0; is_open; ++i) {
        some_steps.count_down();
        const Status status = run(*session, t == 0 && i % 5 == 4 ? steps.make : steps.take, {}).status();
        EXPECT(status.ok() || status.code() == Code::kCancelled);
        // A new start cancels steps that wait for the pipeline before.
        is_open = status.ok() || run(*session, steps.make, {}).ok();
      }
    });
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

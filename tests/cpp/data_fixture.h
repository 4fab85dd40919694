#pragma once

// Datasets whose iterators do what a test says, and steps that pull them outside sessions.

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "data/dataset.h"
#include "data/iterator_server.h"
#include "data/iterator_state.h"
#include "op/op_registry.h"
#include "tests/cpp/background_fixture.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace testing {

/// What one thread waits for and another one does. It may be destroyed once wait() has returned.
class Event {
 public:
  void set() {
    const std::lock_guard lock(mutex_);
    is_set_ = true;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_set_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_set_ = false;
};

/// Asks the server for an element; `done` gets what becomes of it, at once or later.
inline void ask(data::IteratorServer& server, const KernelServices& step, data::IteratorServer::Done done) {
  std::optional<data::IteratorServer::Outcome> outcome = server.next(step, [&] { return done; });
  if (outcome) done(std::move(*outcome));
}

/// The services of one step.
struct DataStep {
  explicit DataStep(BackgroundHost* host = nullptr) {
    services.allocator = &Allocator::process();
    services.parallel = &parallel;
    services.resources = &resources;
    services.step_resources = &step_resources;
    services.cancellation = &cancellation;
    services.background = host;
  }
  DataStep(const DataStep&) = delete;
  DataStep& operator=(const DataStep&) = delete;

  ResourceManager resources, step_resources;
  SerialParallel parallel;
  Cancellation cancellation;
  KernelServices services;
};

/// What the iterators of a ScriptedDataset do. Thread-safe; outlives them.
class Script {
 public:
  explicit Script(int64_t count) : count(count) {}

  const int64_t count;
  std::map<int64_t, Status> errors;  ///< in place of an element; set before the first pull
  std::set<int64_t> throws;          ///< the same for exceptions

  /// Pulls at this element are pending until release().
  void hold(int64_t at) {
    const std::lock_guard lock(mutex_);
    held_.insert(at);
  }
  /// Pulls of this element block their thread until let_go().
  void block(int64_t at) {
    const std::lock_guard lock(mutex_);
    blocked_.insert(at);
  }
  /// Ends the holds, and wakes what was pending.
  void release() {
    std::vector<RefPtr<data::Waker>> wakers;
    {
      const std::lock_guard lock(mutex_);
      held_.clear();
      wakers.swap(wakers_);
    }
    for (const auto& waker : wakers) waker->wake();
  }
  void let_go() {
    const std::lock_guard lock(mutex_);
    blocked_.clear();
    changed_.notify_all();
  }
  void wait_until_pending(int times) {
    wait([&] { return pendings_ >= times; });
  }
  void wait_until_blocked(int times) {
    wait([&] { return blocks_ >= times; });
  }

  bool is_pending(int64_t at, data::Waker& waker) {
    const std::lock_guard lock(mutex_);
    if (held_.count(at) == 0) return false;
    wakers_.push_back(RefPtr<data::Waker>::share(&waker));
    ++pendings_;
    changed_.notify_all();
    return true;
  }
  void pass(int64_t at) {
    std::unique_lock lock(mutex_);
    if (blocked_.count(at) == 0) return;
    ++blocks_;
    changed_.notify_all();
    const ForkGate::Outside outside;
    changed_.wait(lock, [&] { return blocked_.count(at) == 0; });
  }

 private:
  template <class Condition>
  void wait(Condition condition) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, condition);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<int64_t> held_, blocked_;
  int pendings_ = 0, blocks_ = 0;
  std::vector<RefPtr<data::Waker>> wakers_;
};

inline std::shared_ptr<const data::ElementSpec> spec_of_int() {
  return std::make_shared<data::ElementSpec>(data::ElementSpec{{DType::kInt64}, {PartialShape::scalar()}});
}

/// Of a node of some dataset op.
inline data::DatasetParts scripted_parts(std::vector<Tensor> inputs = {}) {
  auto node = std::make_shared<NodeInfo>();
  node->op = OpRegistry::global().find("RangeDataset");
  const int levels = data::Dataset::levels_around(inputs).take();
  return {{std::move(node), std::move(inputs)}, spec_of_int(), levels};
}

/// The numbers from 0 on, as a script says.
class ScriptedDataset final : public data::Dataset {
 public:
  explicit ScriptedDataset(Script& script) : Dataset(scripted_parts()), script_(script) {}

  Script& script() const { return script_; }
  Result<std::unique_ptr<data::Iterator>> make_iterator(data::IteratorContext&) const override {
    return std::unique_ptr<data::Iterator>(std::make_unique<It>(*this));
  }

 private:
  class It final : public data::IteratorOf<ScriptedDataset> {
   public:
    using IteratorOf::IteratorOf;

    Result<data::Pulled> pull(data::PullContext& ctx, data::Element& element) override {
      EXPECT(!is_used_.exchange(true));
      const Result<data::Pulled> pulled = pull_alone(ctx, element);
      is_used_ = false;
      return pulled;
    }
    Status save(data::IteratorContext&, data::StateWriter& state) override {
      EXPECT(!is_used_);
      state.put_int("at", at_);
      return Status();
    }
    Status restore(data::IteratorContext&, data::StateReader& state) override {
      TINYTF_ASSIGN_OR_RETURN(at_, state.get_int("at", 0, dataset().script().count));
      return Status();
    }

   private:
    Result<data::Pulled> pull_alone(data::PullContext& ctx, data::Element& element) {
      Script& script = dataset().script();
      if (at_ == script.count) return data::Pulled::kEnd;
      if (script.is_pending(at_, ctx.waker)) return data::Pulled::kPending;
      script.pass(at_);
      const int64_t at = at_++;
      if (script.throws.count(at) == 1) {
        is_used_ = false;
        throw std::runtime_error("thrown");
      }
      const auto error = script.errors.find(at);
      if (error != script.errors.end()) return error->second;
      element = {Tensor::scalar(at)};
      return data::Pulled::kElement;
    }

    std::atomic<bool> is_used_{false};
    int64_t at_ = 0;
  };

  Script& script_;
};

inline RefPtr<const data::Dataset> scripted(Script& script) {
  return RefPtr<const data::Dataset>(make_ref<ScriptedDataset>(script));
}

/// The dataset of a node whose elements are int64 values, scalars unless `shape` says otherwise.
inline Tensor dataset_of_op(const std::string& op, std::vector<Tensor> inputs, PartialShape shape = PartialShape({})) {
  OpRunner runner(op);
  for (Tensor& input : inputs) runner.input(std::move(input));
  runner.attr("output_types", std::vector<DType>{DType::kInt64});
  runner.attr("output_shapes", std::vector<PartialShape>{std::move(shape)});
  return runner.run().take()[0];
}

/// The number of such an element.
inline int64_t number_of(const data::Element& element) {
  TINYTF_CHECK(element.size() == 1 && element[0].dtype() == DType::kInt64 && element[0].rank() == 0);
  return element[0].int_at(0);
}

}  // namespace testing
}  // namespace tinytf

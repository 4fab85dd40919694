#include <algorithm>

#include "kernels/random.h"
#include "op/registration.h"
#include "ops/data_flow/shared/element_ring.h"
#include "ops/data_flow/shared/queue_kernel.h"

namespace tinytf::ops {

namespace {

/// A queue in which each element is equally likely to be dequeued next.
class RandomShuffleQueue final : public Queue {
 public:
  static constexpr const char* kKind = "RandomShuffleQueue";
  struct Spec : QueueSpec {
    explicit Spec(KernelInit& init)
        : QueueSpec(init),
          min_after_dequeue(init.int32_attr("min_after_dequeue")),
          seed(init.attr<int64_t>("seed")),
          seed2(init.attr<int64_t>("seed2")) {
      if (min_after_dequeue < 0) {
        init.fail(invalid_argument("min_after_dequeue ", min_after_dequeue, " must be >= 0"));
      } else if (min_after_dequeue >= capacity) {
        init.fail(invalid_argument("min_after_dequeue ", min_after_dequeue, " must be < capacity ", capacity));
      }
    }

    int64_t min_after_dequeue;  ///< number of elements that dequeues leave behind while the queue is open
    int64_t seed;
    int64_t seed2;
  };

  RandomShuffleQueue(std::string name, const Spec& spec)
      : Queue(kKind, std::move(name), spec),
        min_after_dequeue_(spec.min_after_dequeue),
        seed_(spec.seed),
        seed2_(spec.seed2),
        philox_(kernels::Philox::from_seeds(spec.seed, spec.seed2)) {}

  Status options_match(const Spec& spec) const {
    if (spec.min_after_dequeue != min_after_dequeue_) {
      return invalid_argument("Shared queue '", name(), "' has min_after_dequeue ", min_after_dequeue_,
                              " but requested min_after_dequeue was ", spec.min_after_dequeue, ".");
    }
    const bool any_seed = spec.seed == 0 && spec.seed2 == 0;
    if (!any_seed && (spec.seed != seed_ || spec.seed2 != seed2_)) {
      return invalid_argument("Shared queue '", name(), "' has random seeds (", seed_, ", ", seed2_,
                              ") but requested seeds are (", spec.seed, ", ", spec.seed2, ").");
    }
    return Status();
  }

 private:
  int64_t stored() const override { return ring_.size(); }
  int64_t takeable(bool closed) const override {
    return closed ? stored() : std::max<int64_t>(stored() - min_after_dequeue_, 0);
  }
  void reserve(int64_t elements) override { ring_.reserve(elements); }
  void push(Source element) override { ring_.push_back(element); }
  void put_back(Source element) override { ring_.push_front(element); }
  void pop(Sink element) override {
    Tensor* components = ring_.at(static_cast<int64_t>(random_word() % static_cast<uint64_t>(ring_.size())));
    Tensor* last = ring_.at(ring_.size() - 1);
    for (int i = 0; i < num_components(); ++i) {
      element(i, std::move(components[i]));
      if (last != components) components[i] = std::move(last[i]);
    }
    ring_.pop_back();
  }

  uint32_t random_word() {
    if (next_word_ == 4) {
      philox_.next(words_);
      next_word_ = 0;
    }
    return words_[next_word_++];
  }

  const int64_t min_after_dequeue_;
  const int64_t seed_;
  const int64_t seed2_;
  kernels::Philox philox_;
  uint32_t words_[4] = {};
  int next_word_ = 4;
  ElementRing ring_{num_components()};
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(data_flow_random_shuffle_queue) {
  using namespace tinytf::ops;
  for (const bool is_early : {false, true}) {
    const char* name = is_early ? "RandomShuffleQueue" : "RandomShuffleQueueV2";
    OpDefBuilder queue = ops.op(name);
    declare_queue(queue, is_early, {"min_after_dequeue: int = 0", "seed: int = 0", "seed2: int = 0"});
    queue.doc(
        "Returns a handle to a queue that dequeues its elements in random order. While it is open, dequeues leave at "
        "least `min_after_dequeue` elements behind. `shapes`, unless empty, are the fully defined shapes of the "
        "components; a negative `capacity` means no limit; if `seed` and `seed2` are 0, each session has a different "
        "order.");
    kernels.add<QueueHandleKernel<RandomShuffleQueue>>(name);
  }
}

#include <array>
#include <atomic>
#include <random>
#include <string>

#include "ops/data_flow/shared/barrier.h"
#include "ops/data_flow/shared/staging_map.h"
#include "tests/cpp/late_step.h"
#include "tests/cpp/op_runner.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

/// Publishes the step a thread waits for, so that another thread can cancel it.
class Shown {
 public:
  Status wait(LateStep& step) {
    show(&step);
    const Status status = step.wait();
    show(nullptr);
    return status;
  }
  void cancel() {
    const std::lock_guard lock(mutex_);
    if (step_ != nullptr) step_->cancellation.cancel();
  }

 private:
  void show(LateStep* step) {
    const std::lock_guard lock(mutex_);
    step_ = step;
  }
  std::mutex mutex_;
  LateStep* step_ = nullptr;
};

bool is_cancelled(const Status& status) { return status.code() == Code::kCancelled; }

TINYTF_TEST(barriers_neither_lose_nor_double_elements) {
  constexpr int kComponents = 3, kTakers = 2, kKeys = 40;
  for (int round = 0; round < rounds(20); ++round) {
    const auto barrier =
        make_ref<ops::Barrier>("b", std::vector<DType>(kComponents, DType::kInt32), std::vector<Shape>(kComponents));
    std::array<Shown, kTakers> shown;
    std::array<std::vector<int>, kTakers> taken;
    std::atomic<int> inserting{kComponents}, taking{kTakers};
    on_threads(kComponents + kTakers + 1, [&](int t) {
      if (t < kComponents) {
        std::vector<int> order(kKeys);
        for (int i = 0; i < kKeys; ++i) order[static_cast<size_t>(i)] = i;
        std::shuffle(order.begin(), order.end(), std::mt19937(static_cast<uint32_t>(round * kComponents + t)));
        for (const int key : order) {
          const Tensor keys = tensor<std::string>({1}, {std::to_string(key)});
          EXPECT_OK(barrier->insert(Allocator::process(), keys, t, tensor<int32_t>({1}, {key * kComponents + t})));
        }
        if (--inserting == 0) EXPECT_OK(barrier->close(false));
      } else if (t < kComponents + kTakers) {
        const int taker = t - kComponents;
        for (bool open = true; open;) {
          LateStep step({DType::kInt64, DType::kString, DType::kInt32, DType::kInt32, DType::kInt32});
          barrier->take({&step.context(), step.done(), 1 + taker, true});
          const Status status = shown[static_cast<size_t>(taker)].wait(step);
          if (is_cancelled(status)) continue;
          open = status.ok();
          if (!open) EXPECT_EQ(status.code(), Code::kOutOfRange);
          for (int64_t i = 0; open && i < step.output(1).num_elements(); ++i) {
            const int key = std::stoi(step.output(1).data<std::string>()[i]);
            taken[static_cast<size_t>(taker)].push_back(key);
            for (int c = 0; c < kComponents; ++c) {
              EXPECT_EQ(step.output(2 + c).data<int32_t>()[i], key * kComponents + c);
            }
          }
        }
        --taking;
      } else {
        std::mt19937 random(7);
        while (taking > 0) {
          if (random() % 4 == 0) shown[random() % kTakers].cancel();
          std::this_thread::yield();
        }
      }
    });
    std::vector<int> times(kKeys, 0);
    for (const auto& keys : taken) {
      for (const int key : keys) ++times[static_cast<size_t>(key)];
    }
    EXPECT(times == std::vector<int>(kKeys, 1));
    EXPECT_EQ(barrier->ready() + barrier->incomplete(), 0);
  }
}

TINYTF_TEST(staging_maps_hand_each_tuple_to_one_taker) {
  using Kind = ops::StagingMapUse::Kind;
  constexpr int kPutters = 2, kTakers = 2, kKeys = 60;
  for (int round = 0; round < rounds(20); ++round) {
    const auto map = make_ref<ops::StagingMap>("m", 3, 0);
    std::array<Shown, kPutters + kTakers> shown;
    std::array<std::vector<int64_t>, kTakers> taken;
    std::atomic<int> left{kPutters + kTakers};
    on_threads(kPutters + kTakers + 1, [&](int t) {
      if (t == kPutters + kTakers) {
        std::mt19937 random(7);
        while (left > 0) {
          if (random() % 4 == 0) shown[random() % shown.size()].cancel();
          std::this_thread::yield();
        }
        return;
      }
      const bool puts = t < kPutters;
      const int count = kKeys / (puts ? kPutters : kTakers);
      for (int i = 0; i < count;) {
        LateStep step(puts ? std::vector<DType>() : std::vector<DType>{DType::kInt64, DType::kInt32});
        ops::StagingMapUse use{&step.context(), step.done(), puts ? Kind::kPut : Kind::kTakeFirst};
        use.key = t * kKeys + i;
        use.indices = {0};
        if (puts) {
          use.tensors = {Tensor::scalar(static_cast<int32_t>(use.key))};
          map->put(std::move(use), {DType::kInt32});
        } else {
          map->take(std::move(use));
        }
        const Status status = shown[static_cast<size_t>(t)].wait(step);
        if (is_cancelled(status)) continue;
        EXPECT_OK(status);
        ++i;
        if (puts) continue;
        const int64_t key = *step.output(0).data<int64_t>();
        EXPECT_EQ(*step.output(1).data<int32_t>(), static_cast<int32_t>(key));
        taken[static_cast<size_t>(t - kPutters)].push_back(key);
      }
      --left;
    });
    std::vector<int> times(size_t{kPutters * kKeys}, 0);
    for (const auto& keys : taken) {
      for (const int64_t key : keys) ++times[static_cast<size_t>(key)];
    }
    for (int t = 0; t < kPutters; ++t) {
      for (int i = 0; i < kKeys / kPutters; ++i) EXPECT_EQ(times[static_cast<size_t>(t * kKeys + i)], 1);
    }
    EXPECT_EQ(map->size(), 0);
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

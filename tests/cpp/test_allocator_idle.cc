// The memory that an allocator keeps and returns.

#include <map>
#include <random>
#include <vector>

#include "tensor/allocator.h"
#include "tensor/buffer.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

constexpr size_t kMiB = size_t{1} << 20;

int64_t misses(const Allocator& allocator) {
  const Allocator::Stats stats = allocator.stats();
  return stats.allocations - stats.pool_hits;
}

/// A step that has `at_once` buffers of these sizes in use at a time, and returns the last one.
RefPtr<Buffer> step(Allocator& allocator, const std::vector<size_t>& sizes, size_t at_once = 2) {
  std::vector<RefPtr<Buffer>> live(at_once);
  for (size_t i = 0; i < sizes.size(); ++i) {
    live[i % at_once] = allocator.allocate(sizes[i]);
    EXPECT(live[i % at_once]);
  }
  return live[(sizes.size() - 1) % at_once];
}

TINYTF_TEST(allocator_comes_to_rest_after_other_sizes) {
  auto allocator = make_ref<Allocator>();
  for (const double millions : {3.0, 2.0, 3.0, 3.4, 4.4, 0.5, 3.0, 1.1, 4.4}) {
    const auto bytes = static_cast<size_t>(millions * 4e6);
    RefPtr<Buffer> result;
    for (int i = 0; i < 3; ++i) result = step(*allocator, {bytes});  // fetched results: two at a time
    const int64_t before = misses(*allocator);
    for (int i = 0; i < 20; ++i) result = step(*allocator, {bytes});
    EXPECT_EQ(misses(*allocator), before);
  }
}

TINYTF_TEST(allocator_comes_to_rest_where_steps_take_turns) {
  std::mt19937 random(7);
  for (int round = 0; round < 20; ++round) {
    auto allocator = make_ref<Allocator>();
    std::vector<std::vector<size_t>> steps(1 + random() % 3);  // train, eval, the last short batch
    for (auto& sizes : steps) {
      sizes.resize(1 + random() % 12);
      for (size_t& size : sizes) size = (size_t{64} << (random() % 18)) + random() % 1000;  // up to 8 MiB
    }
    for (int i = 0; i < 30; ++i) {
      for (const auto& sizes : steps) step(*allocator, sizes, 3);
    }
    const int64_t before = misses(*allocator);
    for (int i = 0; i < 10; ++i) {
      for (const auto& sizes : steps) step(*allocator, sizes, 3);
    }
    EXPECT_EQ(misses(*allocator), before);
  }
}

TINYTF_TEST(allocator_never_refuses_what_was_just_used) {
  auto allocator = make_ref<Allocator>();
  for (size_t i = 0; i < 12; ++i) allocator->allocate((8 + i) * kMiB).reset();
  const RefPtr<Buffer> buffer = allocator->allocate(40 * kMiB);
  const void* data = buffer->data();
  const_cast<RefPtr<Buffer>&>(buffer).reset();
  EXPECT_EQ(allocator->allocate(40 * kMiB)->data(), data);
}

/// Compares memory in use, its peak, and the bound on held memory with a model.
TINYTF_TEST(allocator_keeps_to_its_bound_under_random_sizes) {
  for (uint32_t seed = 0; seed < 8; ++seed) {
    std::mt19937 random(seed);
    auto allocator = make_ref<Allocator>();
    std::map<int, std::pair<RefPtr<Buffer>, int64_t>> live;
    int64_t live_bytes = 0;
    int64_t peak = 0;
    for (int i = 0; i < 4000; ++i) {
      const int slot = static_cast<int>(random() % 24);
      if (live.count(slot) != 0 && random() % 2 == 0) {
        live_bytes -= live[slot].second;
        live.erase(slot);
      } else {
        const size_t bytes = (size_t{1} << (random() % 23)) + random() % 100;
        const Allocator::Stats before = allocator->stats();
        RefPtr<Buffer> buffer = allocator->allocate(bytes);
        const int64_t counted = allocator->stats().live_bytes - before.live_bytes;
        EXPECT(counted >= static_cast<int64_t>(bytes) && counted <= static_cast<int64_t>(bytes + bytes / 4 + 128));
        live_bytes += counted;  // both are in use before the older one is freed
        peak = std::max(peak, live_bytes);
        if (live.count(slot) != 0) live_bytes -= live[slot].second;
        live[slot] = {std::move(buffer), counted};
      }
      const Allocator::Stats stats = allocator->stats();
      EXPECT_EQ(stats.live_bytes, live_bytes);
      EXPECT_EQ(stats.peak_bytes, peak);
      EXPECT(stats.pooled_bytes >= 0);
      EXPECT(stats.live_bytes + stats.pooled_bytes <= 2 * std::max(peak, Allocator::kMuchMemory));
      EXPECT(stats.pool_hits <= stats.allocations);
    }
    live.clear();
    const int64_t pooled = allocator->stats().pooled_bytes;
    EXPECT_EQ(allocator->trim(), pooled);
    EXPECT_EQ(allocator->stats().pooled_bytes, 0);
    EXPECT_EQ(allocator->stats().live_bytes, 0);
  }
}

TINYTF_TEST(allocator_does_not_multiply_what_was_live_once) {
  auto allocator = make_ref<Allocator>();
  size_t bytes = 3000;
  for (int batch = 0; batch < 10; ++batch, bytes += bytes / 5) {
    std::vector<RefPtr<Buffer>> values;
    for (int i = 0; i < 5000; ++i) values.push_back(allocator->allocate(bytes));
  }
  const Allocator::Stats stats = allocator->stats();
  EXPECT_EQ(stats.live_bytes, 0);
  EXPECT(stats.pooled_bytes <= stats.peak_bytes);
  EXPECT(stats.evicted_blocks > 0);
}

TINYTF_TEST(allocator_gives_back_what_lies_idle) {
  auto allocator = make_ref<Allocator>();
  const auto use = [&](int large, int small) {
    std::vector<RefPtr<Buffer>> values;
    for (int i = 0; i < large; ++i) values.push_back(allocator->allocate(4 * kMiB));
    for (int i = 0; i < small; ++i) values.push_back(allocator->allocate(4096));
  };
  use(20, 10000);
  const int64_t pooled = allocator->stats().pooled_bytes;
  const int64_t period = Allocator::kDecayPeriodNs;
  EXPECT_EQ(allocator->decay_if_due(0), 0);  // observation starts
  EXPECT_EQ(allocator->decay_if_due(period - 1), 0);
  use(15, 1);
  const int64_t idle = pooled - static_cast<int64_t>(15 * 4 * kMiB) - 4096;
  const int64_t freed = allocator->decay_if_due(period);
  EXPECT(freed <= idle && freed >= idle - BlockShelf::kMostBytes);  // a used shelf keeps its blocks
  EXPECT_EQ(allocator->decay_if_due(period), 0);
  EXPECT(allocator->holds_much());
  EXPECT(allocator->decay_if_due(2 * period) > 0);  // unused since then
  EXPECT(allocator->stats().pooled_bytes <= Allocator::kMuchMemory);
  EXPECT(!allocator->holds_much());
  EXPECT_EQ(allocator->decay_if_due(3 * period), 0);  // little is left
}

TINYTF_TEST(allocator_at_its_limit_gives_back_what_is_idle) {
  auto allocator = make_ref<Allocator>();
  allocator->set_limit(8 * kMiB);
  for (size_t kilobytes = 100; kilobytes < 8000; kilobytes += 100) {
    EXPECT(allocator->allocate(kilobytes << 10));
    const Allocator::Stats stats = allocator->stats();
    EXPECT(stats.live_bytes + stats.pooled_bytes <= static_cast<int64_t>(8 * kMiB));
  }
  const RefPtr<Buffer> half = allocator->allocate(4 * kMiB), rest = allocator->allocate(4 * kMiB);
  EXPECT(half && rest && !allocator->allocate(1));
}

TINYTF_TEST(allocator_out_of_memory_takes_what_others_have_idle) {
  auto one = make_ref<Allocator>(), other = make_ref<Allocator>();
  other->allocate(32 * kMiB).reset();
  EXPECT(!one->allocate(size_t{1} << 46));  // more than any machine has
  EXPECT_EQ(other->stats().pooled_bytes, 0);
  other->allocate(32 * kMiB).reset();
  one->set_limit(1000);
  EXPECT(!one->allocate(2000));  // at its own limit it takes nothing from others
  EXPECT(other->stats().pooled_bytes > 0);
}

TINYTF_TEST(allocator_counts_what_others_took_for_it) {
  auto allocator = make_ref<Allocator>();
  allocator->set_limit(kMiB);
  EXPECT(allocator->charge_taken(1000));
  EXPECT_EQ(allocator->stats().live_bytes, 1000);
  EXPECT(!allocator->charge_taken(kMiB));
  EXPECT_EQ(allocator->stats().live_bytes, static_cast<int64_t>(kMiB) + 1000);
  allocator->discharge(kMiB + 1000);
  EXPECT_EQ(allocator->stats().live_bytes + allocator->stats().pooled_bytes, 0);
}

TINYTF_TEST(allocator_lends_working_memory_that_counts) {
  auto allocator = make_ref<Allocator>();
  const ScratchSource::Loan loan = allocator->lend(2 * kMiB);
  EXPECT(loan.memory != nullptr);
  EXPECT_EQ(allocator->stats().live_bytes, static_cast<int64_t>(2 * kMiB));
  allocator->take_back(loan);
  EXPECT_EQ(allocator->stats().live_bytes, 0);
  allocator->trim();
  allocator->set_limit(kMiB);
  EXPECT(allocator->lend(2 * kMiB).memory == nullptr);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

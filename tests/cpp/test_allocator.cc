#include "tensor/allocator.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "base/mapped_memory.h"
#include "tensor/buffer.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(allocator_blocks_are_aligned_and_large_enough) {
  auto allocator = make_ref<Allocator>();
  std::vector<RefPtr<Buffer>> buffers;
  for (size_t bytes : {size_t{0}, size_t{1}, size_t{63}, size_t{64}, size_t{65}, size_t{1000}, size_t{70000}}) {
    for (size_t more = 0; more < 3; ++more) {
      RefPtr<Buffer> buffer = allocator->allocate(bytes + more);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % 64, uintptr_t{0});
      EXPECT_EQ(buffer->size(), bytes + more);
      EXPECT(buffer->writable() && buffer->unique());
      std::memset(buffer->data(), 0xA5, bytes + more);  // the sanitizers check the bounds
      buffers.push_back(std::move(buffer));
    }
  }
  for (const auto& buffer : buffers) {
    const auto* data = static_cast<const unsigned char*>(buffer->data());
    EXPECT(std::all_of(data, data + buffer->size(), [](unsigned char byte) { return byte == 0xA5; }));
  }
}

/// The bytes charged for one buffer of this size.
int64_t cost(size_t bytes) {
  auto allocator = make_ref<Allocator>();
  const RefPtr<Buffer> buffer = allocator->allocate(bytes);
  return allocator->stats().live_bytes;
}

TINYTF_TEST(allocator_size_classes_waste_little) {
  int64_t before = 0;
  for (size_t bytes = 0; bytes < 5000; ++bytes) {
    const int64_t block = cost(bytes);
    const int64_t header = bytes < 3584 ? 64 : 0;  // not charged from 4 KiB on
    EXPECT(block >= static_cast<int64_t>(bytes) + header && block + 64 >= before);
    EXPECT(block == 128 || 4 * (block - header) <= 5 * static_cast<int64_t>(bytes));
    before = block;
  }
}

TINYTF_TEST(allocator_counts_powers_of_two_as_what_they_are) {
  for (int exponent = 12; exponent < 28; ++exponent) {
    const size_t block = size_t{1} << exponent;
    EXPECT_EQ(cost(block), static_cast<int64_t>(block));
    EXPECT_EQ(cost(block + 1), static_cast<int64_t>(block / 4 * 5));
    auto allocator = make_ref<Allocator>();
    const RefPtr<Buffer> two[] = {allocator->allocate(block), allocator->allocate(block)};
    EXPECT_EQ(allocator->stats().live_bytes, static_cast<int64_t>(2 * block));
    EXPECT_EQ(allocator->stats().peak_bytes, static_cast<int64_t>(2 * block));
    EXPECT_EQ(allocator->stats().pooled_bytes, 0);
  }
}

TINYTF_TEST(allocator_reuses_blocks_of_one_class) {
  auto allocator = make_ref<Allocator>();
  RefPtr<Buffer> a = allocator->allocate(1000), b = allocator->allocate(1010);
  const void *at_a = a->data(), *at_b = b->data();
  a.reset();
  b.reset();
  EXPECT_EQ(allocator->stats().pooled_bytes, allocator->stats().peak_bytes);
  const RefPtr<Buffer> other = allocator->allocate(2000);
  EXPECT(other->data() != at_a && other->data() != at_b);
  const RefPtr<Buffer> c = allocator->allocate(1005), d = allocator->allocate(1000);
  EXPECT_EQ(c->data(), at_b);  // the most recently freed first
  EXPECT_EQ(d->data(), at_a);
  const Allocator::Stats stats = allocator->stats();
  EXPECT_EQ(stats.allocations, 5);
  EXPECT_EQ(stats.pool_hits, 2);
  EXPECT_EQ(stats.pooled_bytes, 0);
}

TINYTF_TEST(allocator_statistics_add_up) {
  auto allocator = make_ref<Allocator>();
  const int64_t alive = Allocator::live_buffers();
  RefPtr<Buffer> a = allocator->allocate(4096), b = allocator->allocate(8192);
  EXPECT_EQ(allocator->stats().live_bytes, 4096 + 8192);
  EXPECT_EQ(Allocator::live_buffers(), alive + 2);
  a.reset();
  EXPECT_EQ(allocator->stats().live_bytes, 8192);
  EXPECT_EQ(allocator->stats().peak_bytes, 4096 + 8192);
  EXPECT_EQ(allocator->stats().pooled_bytes, 4096);
  allocator->trim();
  EXPECT_EQ(allocator->stats().pooled_bytes, 0);
  EXPECT_EQ(allocator->stats().live_bytes, 8192);  // trim takes no memory in use
  b.reset();
  EXPECT_EQ(Allocator::live_buffers(), alive);
}

TINYTF_TEST(allocator_keeps_no_more_large_blocks_than_were_used_at_once) {
  auto allocator = make_ref<Allocator>();
  for (size_t megabytes = 1; megabytes <= 32; ++megabytes) allocator->allocate(megabytes << 20).reset();
  const Allocator::Stats stats = allocator->stats();
  EXPECT(stats.pooled_bytes > 0);
  EXPECT(stats.pooled_bytes <= stats.peak_bytes);
}

/// Accepts every second block.
class EverySecond final : public BlockDisposer {
 public:
  ~EverySecond() {
    for (const auto& [block, bytes] : blocks) unmap_memory(block, bytes);
  }
  bool dispose(void* block, size_t bytes) noexcept override {
    EXPECT(bytes >= (size_t{1} << 20));
    if (++asked % 2 == 0) return false;
    blocks.emplace_back(block, bytes);
    return true;
  }
  void grown() noexcept override { ++times_grown; }
  int times_grown = 0;
  int asked = 0;
  std::vector<std::pair<void*, size_t>> blocks;
};

TINYTF_TEST(allocator_hands_large_blocks_to_its_disposer) {
  auto allocator = make_ref<Allocator>();
  EverySecond disposer;
  allocator->set_disposer(&disposer);
  const auto use_more_and_more = [&](size_t from) {
    for (size_t megabytes = from; megabytes < from + 32; ++megabytes) allocator->allocate(megabytes << 20).reset();
  };
  use_more_and_more(1);
  EXPECT(disposer.asked > 2);
  EXPECT_EQ(static_cast<int>(disposer.blocks.size()), (disposer.asked + 1) / 2);
  allocator->set_disposer(nullptr);
  const int asked = disposer.asked;
  EXPECT(disposer.times_grown > 0);
  use_more_and_more(40);
  allocator->trim();
  EXPECT_EQ(disposer.asked, asked);
  EXPECT_EQ(allocator->stats().pooled_bytes, 0);
}

TINYTF_TEST(allocator_says_null_when_memory_is_out) {
  auto allocator = make_ref<Allocator>();
  EXPECT(!allocator->allocate(size_t{1} << 47));
  EXPECT(!allocator->allocate(~size_t{0}));
  EXPECT_EQ(allocator->stats().live_bytes, 0);
  EXPECT(allocator->allocate(8));
}

TINYTF_TEST(allocator_serves_and_takes_back_on_any_thread) {
  auto allocator = make_ref<Allocator>();
  std::vector<RefPtr<Buffer>> passed(4);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < passed.size(); ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < 2000; ++i) {
        RefPtr<Buffer> buffer = allocator->allocate(100 * (i % 7));
        if (buffer->size() > 0) *static_cast<char*>(buffer->data()) = 1;
        if (i == 1999) passed[t] = std::move(buffer);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(allocator->stats().allocations, 8000);
  passed.clear();
  EXPECT_EQ(allocator->stats().live_bytes, 0);
}

TINYTF_TEST(allocator_goes_with_the_last_buffer_on_any_thread) {
  const int64_t alive = Allocator::live_buffers();
  for (int round = 0; round < 50; ++round) {
    auto allocator = make_ref<Allocator>();
    std::vector<std::thread> threads;
    for (size_t t = 0; t < 4; ++t) {
      threads.emplace_back(
          [buffers = std::vector<RefPtr<Buffer>>{allocator->allocate(100), allocator->allocate(100000)},
           own = t % 2 == 0 ? allocator : nullptr]() mutable {
            if (own) buffers.push_back(own->allocate(50));
            own.reset();
            *static_cast<char*>(buffers.back()->data()) = 1;
            buffers.clear();
          });
    }
    allocator.reset();
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(Allocator::live_buffers(), alive);  // LeakSanitizer checks the allocators
}

TINYTF_TEST(allocator_gives_what_one_thread_freed_to_another) {
  auto allocator = make_ref<Allocator>();
  std::vector<RefPtr<Buffer>> passed;
  for (int round = 0; round < 100; ++round) {
    for (int i = 0; i < 500; ++i) passed.push_back(allocator->allocate(1000));
    std::thread([&] { passed.clear(); }).join();
  }
  const Allocator::Stats stats = allocator->stats();
  EXPECT(stats.allocations - stats.pool_hits <= 500 + 64);  // the blocks on one shelf serve one thread only
  EXPECT_EQ(stats.live_bytes, 0);
  EXPECT(stats.peak_bytes <= 500 * cost(1000) + 2 * (int64_t{64} << 10));
  EXPECT_EQ(allocator->trim(), stats.pooled_bytes);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

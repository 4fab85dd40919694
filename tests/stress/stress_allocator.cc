#include <random>

#include "tensor/allocator.h"
#include "tensor/buffer.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

struct Block {
  RefPtr<Buffer> buffer;
  unsigned char mark = 0;

  void fill(unsigned char value) {
    mark = value;
    std::fill_n(static_cast<unsigned char*>(buffer->data()), buffer->size(), value);
  }
  bool whole() const {
    const auto* bytes = static_cast<const unsigned char*>(buffer->data());
    return std::all_of(bytes, bytes + buffer->size(), [this](unsigned char byte) { return byte == mark; });
  }
};

// Few size classes, so that threads contend for the free lists while another thread empties them.
TINYTF_TEST(free_lists_are_shared) {
  const int count = rounds(2000);
  const auto allocator = make_ref<Allocator>();
  const int64_t buffers_before = Allocator::live_buffers();
  on_threads(6, [&](int t) {
    if (t == 0) {
      for (int i = 0; i < count / 20; ++i) {
        allocator->trim();
        const Allocator::Stats stats = allocator->stats();
        EXPECT(stats.pool_hits <= stats.allocations);
      }
      return;
    }
    std::mt19937 random(static_cast<uint32_t>(t));
    std::vector<Block> held(16);
    for (int i = 0; i < count; ++i) {
      Block& block = held[random() % held.size()];
      if (block.buffer) {
        EXPECT(block.whole());
        EXPECT(block.buffer->unique());
      }
      static constexpr size_t kSizes[] = {0, 1, 40, 64, 65, 100, 1000, 100000};
      block.buffer = allocator->allocate(kSizes[random() % 8]);
      block.fill(static_cast<unsigned char>(random()));
    }
  });
  EXPECT_EQ(allocator->stats().live_bytes, int64_t{0});
  EXPECT_EQ(allocator->stats().allocations, int64_t{5} * count);
  EXPECT_EQ(Allocator::live_buffers(), buffers_before);
  allocator->trim();
  EXPECT_EQ(allocator->stats().pooled_bytes, int64_t{0});
}

// Large blocks of many sizes, so that free lists are evicted and lend to smaller sizes, while another thread releases
// idle memory and other allocators come and go.
TINYTF_TEST(large_blocks_are_evicted_and_lent) {
  const int count = rounds(300);
  const auto allocator = make_ref<Allocator>();
  on_threads(5, [&](int t) {
    std::mt19937 random(static_cast<uint32_t>(t));
    if (t == 0) {
      for (int i = 0; i < count / 4; ++i) {
        allocator->decay();
        EXPECT(allocator->charge_taken(1000));
        allocator->discharge(1000);
        EXPECT(allocator->stats().pooled_bytes >= 0);
      }
      return;
    }
    std::vector<Block> held(4);
    for (int i = 0; i < count; ++i) {
      Block& block = held[random() % held.size()];
      if (block.buffer)
        EXPECT(static_cast<unsigned char*>(block.buffer->data())[block.buffer->size() - 1] == block.mark);
      block.buffer = allocator->allocate((size_t{1} << 20) + random() % (size_t{4} << 20));
      block.mark = static_cast<unsigned char>(random());
      static_cast<unsigned char*>(block.buffer->data())[block.buffer->size() - 1] = block.mark;
    }
  });
  const Allocator::Stats stats = allocator->stats();
  EXPECT_EQ(stats.live_bytes, int64_t{0});
  EXPECT(stats.pooled_bytes <= 3 * std::max(stats.peak_bytes, Allocator::kMuchMemory));
  EXPECT_EQ(allocator->trim(), stats.pooled_bytes);
  EXPECT_EQ(allocator->stats().pooled_bytes, int64_t{0});
}

TINYTF_TEST(buffers_outlive_their_allocator) {
  const int64_t buffers_before = Allocator::live_buffers();
  for (int round = 0; round < rounds(100); ++round) {
    std::vector<RefPtr<Buffer>> buffers;
    {
      const auto allocator = make_ref<Allocator>();
      for (size_t i = 0; i < 24; ++i) buffers.push_back(allocator->allocate(100 * (i % 4)));
    }
    // The last reference to the last buffer destroys the allocator, on any thread.
    on_threads(4, [&](int t) {
      for (size_t i = static_cast<size_t>(t); i < buffers.size(); i += 4) buffers[i].reset();
    });
  }
  EXPECT_EQ(Allocator::live_buffers(), buffers_before);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include <random>

#include "tensor/allocator.h"
#include "tensor/buffer.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace {

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

}  // namespace

// Few size classes, so that threads meet at the free lists; another thread empties them meanwhile.
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

TINYTF_TEST(buffers_outlive_their_allocator) {
  const int64_t buffers_before = Allocator::live_buffers();
  for (int round = 0; round < rounds(100); ++round) {
    std::vector<RefPtr<Buffer>> buffers;
    {
      const auto allocator = make_ref<Allocator>();
      for (size_t i = 0; i < 24; ++i) buffers.push_back(allocator->allocate(100 * (i % 4)));
    }
    // The last owner of the last buffer takes the allocator down, on whatever thread that is.
    on_threads(4, [&](int t) {
      for (size_t i = static_cast<size_t>(t); i < buffers.size(); i += 4) buffers[i].reset();
    });
  }
  EXPECT_EQ(Allocator::live_buffers(), buffers_before);
}

}  // namespace tinytf

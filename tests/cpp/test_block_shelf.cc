#include "tensor/block_shelf.h"

#include <memory>
#include <thread>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(block_shelf_yields_the_warmest_block_first) {
  BlockShelf shelf;
  MemoryBlock a{nullptr, nullptr, 3}, b{nullptr, nullptr, 3}, c{nullptr, nullptr, 4};
  for (MemoryBlock* block : {&a, &b, &c}) shelf.push(block);
  EXPECT_EQ(shelf.counts[3], 2);
  EXPECT(shelf.pop(3) == &b && shelf.pop(3) == &a && shelf.pop(3) == nullptr);
  EXPECT(shelf.pop(4) == &c && shelf.pop(0) == nullptr);
  EXPECT_EQ(shelf.counts[3], 0);
}

TINYTF_TEST(block_shelf_bounds_what_lies_there) {
  for (size_t bytes = 64; bytes <= (16 << 10); bytes += 64) {
    const int most = BlockShelf::most(bytes);
    EXPECT(most >= 2 && most <= 32 && static_cast<int64_t>(bytes) * most <= BlockShelf::kMostBytes);
  }
}

TINYTF_TEST(block_shelf_is_left_for_another_where_somebody_stays) {
  auto shelves = std::make_unique<BlockShelves>();
  std::thread([&] {
    BlockShelf& mine = shelves->enter();  // never left, like a shelf occupied at a fork
    EXPECT(!BlockShelves::try_enter(mine) && !BlockShelves::wait_and_enter(mine));
    BlockShelf& other = shelves->enter();
    EXPECT(&other != &mine);
    BlockShelves::leave(other);
    EXPECT(&shelves->enter() == &other);  // it is used from now on
  }).join();
}

TINYTF_TEST(block_shelf_counts_what_many_threads_do) {
  auto shelves = std::make_unique<BlockShelves>();
  std::vector<std::thread> threads;
  for (int t = 0; t < 2 * kThreadSlots; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) {
        BlockShelf& shelf = shelves->enter();
        BlockShelf::add(shelf.hits, 1);
        BlockShelves::leave(shelf);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  int64_t hits = 0;
  for (const BlockShelf& shelf : *shelves) hits += shelf.hits.load();
  EXPECT_EQ(hits, 2000 * kThreadSlots);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

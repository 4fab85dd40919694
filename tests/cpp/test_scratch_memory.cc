#include "base/scratch_memory.h"

#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

constexpr size_t kMiB = size_t{1} << 20;

class CountingSource final : public ScratchSource {
 public:
  Loan lend(size_t bytes) noexcept override {
    if (empty) return {};
    ++lent;
    void* memory = ::operator new(bytes, std::align_val_t(64));
    return {memory, memory};
  }
  void take_back(const Loan& loan) noexcept override {
    ++taken_back;
    ::operator delete(loan.owner, std::align_val_t(64));
  }
  bool empty = false;
  int lent = 0, taken_back = 0;
};

TINYTF_TEST(scratch_memory_nests) {
  std::vector<std::unique_ptr<ScratchMemory>> loans;
  for (size_t i = 0; i < 12; ++i) {
    const size_t bytes = 1000 << i;
    loans.push_back(std::make_unique<ScratchMemory>(bytes));
    EXPECT_EQ(reinterpret_cast<uintptr_t>(loans.back()->get()) % 64, uintptr_t{0});
    std::memset(loans.back()->get(), static_cast<int>(i), bytes);
  }
  for (size_t i = 0; i < 12; ++i) EXPECT_EQ(static_cast<char*>(loans[i]->get())[999], static_cast<char>(i));
  while (!loans.empty()) loans.pop_back();
}

TINYTF_TEST(scratch_memory_of_a_thread_is_bounded_and_goes_with_it) {
  const int64_t before = ScratchMemory::kept_bytes();
  std::thread([before] {
    for (int round = 0; round < 3; ++round) {
      std::vector<std::unique_ptr<ScratchMemory>> loans;
      for (size_t i = 0; i < 20; ++i) loans.push_back(std::make_unique<ScratchMemory>((32 << 10) << (i % 10)));
      while (!loans.empty()) loans.pop_back();
      EXPECT(ScratchMemory::kept_bytes() > before);
      EXPECT(ScratchMemory::kept_bytes() <= before + static_cast<int64_t>(kMiB));
    }
    const void* first = ScratchMemory(1000).get();
    EXPECT_EQ(ScratchMemory(900).get(), first);  // a steady loop allocates nothing new
  }).join();
  EXPECT_EQ(ScratchMemory::kept_bytes(), before);
}

TINYTF_TEST(scratch_memory_that_is_large_comes_from_the_source) {
  CountingSource outer, inner;
  {
    const ScratchScope scope(&outer);
    const ScratchMemory large(4 * kMiB), small(100);
    EXPECT_EQ(outer.lent, 1);
    const ScratchScope nested(&inner);
    const ScratchMemory more(4 * kMiB);
    EXPECT_EQ(outer.lent + inner.lent, 2);
    inner.empty = true;
    const ScratchMemory system(4 * kMiB);  // the source is empty, so system memory is used
    std::memset(system.get(), 1, 4 * kMiB);
    EXPECT_EQ(ScratchScope::source(), &inner);
  }
  EXPECT(ScratchScope::source() == nullptr);
  EXPECT_EQ(outer.taken_back + inner.taken_back, 2);
  const ScratchMemory unscoped(4 * kMiB);
  std::memset(unscoped.get(), 1, 4 * kMiB);
}

TINYTF_TEST(scratch_memory_that_there_is_not_throws_and_leaves_no_trace) {
  const ScratchMemory around(100);
  bool thrown = false;
  try {
    const ScratchMemory impossible(SIZE_MAX / 4);
  } catch (const std::bad_alloc&) {
    thrown = true;
  }
  EXPECT(thrown);
  const void* here = ScratchMemory(100).get();
  EXPECT(here != around.get());
  EXPECT_EQ(ScratchMemory(100).get(), here);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

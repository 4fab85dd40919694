#include "handles/handle_slabs.h"

#include <set>
#include <thread>
#include <vector>

#include "handles/tensor_handle.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(handle_slabs_use_memory_again) {
  HandleSlabs slabs;
  TensorHandle* first = slabs.take();
  TensorHandle* second = slabs.take();
  EXPECT(first != second);
  EXPECT_EQ(first->state(), TensorHandle::State::kVacant);
  first->queue_next = second;
  slabs.give_back(first, second);
  EXPECT_EQ(slabs.take(), first);
  EXPECT_EQ(slabs.take(), second);
  EXPECT_EQ(slabs.taken(), 4);
}

TINYTF_TEST(handle_slabs_grow_and_are_walked) {
  HandleSlabs slabs;
  std::set<TensorHandle*> taken;
  for (int i = 0; i < 20000; ++i) EXPECT(taken.insert(slabs.take()).second);
  std::set<TensorHandle*> seen;
  slabs.for_each([&](TensorHandle& handle) { seen.insert(&handle); });
  EXPECT(seen == taken);
  for (TensorHandle* handle : taken) EXPECT_EQ(reinterpret_cast<uintptr_t>(handle) % 64, uintptr_t{0});
}

TINYTF_TEST(handle_slabs_serve_and_take_back_on_any_thread) {
  HandleSlabs slabs;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 2000; ++i) {
        TensorHandle* one = slabs.take();
        TensorHandle* two = slabs.take();
        EXPECT(one != two);
        one->device = two->device = i;
        one->queue_next = two;
        slabs.give_back(one, two);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(slabs.taken(), 12000);
  int handles = 0;
  slabs.for_each([&](TensorHandle&) { ++handles; });
  EXPECT(handles <= 3 * 2000 * 2 && handles > 0);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "tensor/buffer.h"

#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tensor/tensor.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

/// External memory, whose owner is notified when the last tensor is gone.
class ForeignBuffer final : public Buffer {
 public:
  ForeignBuffer(void* data, size_t size, std::function<void()> release)
      : Buffer(data, size, /*writable=*/false), release_(std::move(release)) {}
  ~ForeignBuffer() override { release_(); }

 private:
  std::function<void()> release_;
};

struct Foreign {
  std::vector<float> memory = std::vector<float>(12, 1.0f);
  int released = 0;

  Tensor tensor() {
    auto buffer = make_ref<ForeignBuffer>(memory.data(), memory.size() * sizeof(float), [this] { ++released; });
    return Tensor(DType::kFloat, {4, 3}, std::move(buffer));
  }
};

TINYTF_TEST(buffer_of_foreign_memory_is_released_once_at_the_end) {
  Foreign foreign;
  {
    Tensor tensor = foreign.tensor();
    EXPECT_EQ(tensor.raw(), static_cast<void*>(foreign.memory.data()));
    Tensor copy = tensor;
    tensor = Tensor();
    EXPECT_EQ(foreign.released, 0);
    EXPECT_EQ(copy.data<float>()[11], 1.0f);
  }
  EXPECT_EQ(foreign.released, 1);
}

TINYTF_TEST(buffer_outlives_every_view_of_it) {
  Foreign foreign;
  Tensor tensor = foreign.tensor();
  Tensor rows = tensor.rows(1, 3).take();
  tensor = Tensor();
  Tensor row = rows.rows(1, 2).value().reshaped({3});
  rows = Tensor();
  EXPECT_EQ(foreign.released, 0);
  EXPECT_EQ(row.raw(), static_cast<void*>(foreign.memory.data() + 6));
  row = Tensor();
  EXPECT_EQ(foreign.released, 1);
}

TINYTF_TEST(buffer_of_foreign_memory_is_never_written_to) {
  Foreign foreign;
  const Tensor tensor = foreign.tensor();
  EXPECT(tensor.buffer()->unique());
  EXPECT(!tensor.writable_in_place());
  const Tensor copy = tensor.clone(Allocator::process()).take();
  EXPECT(copy.writable_in_place());
}

TINYTF_TEST(buffer_is_released_by_whichever_thread_is_last) {
  Foreign foreign;
  {
    const Tensor tensor = foreign.tensor();
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([tensor] {
        for (int i = 0; i < 1000; ++i) const Tensor row = tensor.rows(0, 1).take();
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(foreign.released, 1);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

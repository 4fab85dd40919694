#include <array>
#include <mutex>
#include <random>

#include "tests/stress/graphs.h"
#include "tests/stress/stress.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;

/// Tensors sent to a thread by others.
class Mailbox {
 public:
  void put(Tensor tensor) {
    std::lock_guard lock(mutex_);
    tensors_.push_back(std::move(tensor));
  }
  void take_all(std::vector<Tensor>& into) {
    std::vector<Tensor> taken;
    {
      std::lock_guard lock(mutex_);
      taken.swap(tensors_);
    }
    for (Tensor& tensor : taken) into.push_back(std::move(tensor));
  }

 private:
  std::mutex mutex_;
  std::vector<Tensor> tensors_;
};

// Every slice keeps the whole buffer alive, regardless of other references; a sole owner may write.
TINYTF_TEST(slices_travel_between_threads) {
  constexpr int kThreads = 5;
  constexpr int64_t kRows = 12, kColumns = 40;
  const auto allocator = make_ref<Allocator>();
  std::array<Mailbox, kThreads> boxes;
  on_threads(kThreads, [&](int t) {
    std::mt19937 random(static_cast<uint32_t>(t));
    std::vector<Tensor> held;
    for (int round = 0; round < rounds(300); ++round) {
      const Tensor whole = filled(Shape({kRows, kColumns}), static_cast<float>(t * 1000 + round % 1000), *allocator);
      for (int slice = 0; slice < 6; ++slice) {
        const int64_t begin = static_cast<int64_t>(random() % kRows);
        const int64_t rows = 1 + static_cast<int64_t>(random() % static_cast<unsigned>(kRows - begin));
        boxes[random() % kThreads].put(whole.rows(begin, begin + rows).take());
      }
      boxes[t].take_all(held);
      std::shuffle(held.begin(), held.end(), random);
      for (Tensor& tensor : held) {
        EXPECT(all_are(tensor, *tensor.data<float>()));
        if (!tensor.writable_in_place()) continue;
        std::fill_n(tensor.data<float>(), tensor.num_elements(), -1.f);
      }
      held.resize(held.size() / 2);
    }
  });
  std::vector<Tensor> rest;
  for (Mailbox& box : boxes) box.take_all(rest);
  rest.clear();
  EXPECT_EQ(allocator->stats().live_bytes, int64_t{0});
}

TINYTF_TEST(strings_travel_between_threads) {
  constexpr int kThreads = 5;
  const auto allocator = make_ref<Allocator>();
  std::array<Mailbox, kThreads> boxes;
  on_threads(kThreads, [&](int t) {
    std::mt19937 random(static_cast<uint32_t>(t));
    std::vector<Tensor> held;
    for (int round = 0; round < rounds(200); ++round) {
      Tensor texts = Tensor::allocate(*allocator, DType::kString, Shape({4})).take();
      for (int i = 0; i < 4; ++i) texts.data<std::string>()[i] = std::string(40, static_cast<char>('a' + t));
      for (int copy = 0; copy < 4; ++copy) boxes[random() % kThreads].put(texts.rows(copy, 4).take());
      boxes[t].take_all(held);
      for (const Tensor& tensor : held) EXPECT_EQ(tensor.data<std::string>()->size(), size_t{40});
      std::shuffle(held.begin(), held.end(), random);
      held.resize(held.size() / 2);
    }
  });
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

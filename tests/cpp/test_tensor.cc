#include "tensor/tensor.h"

#include <limits>

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

Tensor counted(const Shape& shape) {
  Tensor tensor = Tensor::allocate(Allocator::process(), DType::kInt32, shape).take();
  for (int64_t i = 0; i < tensor.num_elements(); ++i) tensor.data<int32_t>()[i] = static_cast<int32_t>(i);
  return tensor;
}

TINYTF_TEST(tensor_views_share_memory) {
  Tensor tensor = counted({4, 3});
  EXPECT_EQ(tensor.bytes(), size_t{48});
  EXPECT(tensor.writable_in_place());
  const Tensor rows = tensor.rows(1, 3).take();
  EXPECT((rows.shape() == Shape{2, 3}));
  EXPECT_EQ(rows.int_at(0), 3);
  EXPECT(!tensor.writable_in_place());
  const Tensor flat = tensor.reshaped({12});
  EXPECT_EQ(flat.raw(), tensor.raw());
  const Tensor halves = tensor.bitcast(DType::kHalf, {4, 3, 2}).take();
  EXPECT_EQ(halves.dtype(), DType::kHalf);
  EXPECT_EQ(halves.raw(), tensor.raw());
  EXPECT_EQ(tensor.view(5, {7}).value().int_at(0), 5);
}

TINYTF_TEST(tensor_views_do_not_leave_their_tensor) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  const Tensor tensor = counted({4, 3}).rows(1, 3).take();  // the buffer extends beyond it
  EXPECT(tensor.rows(0, 2).ok());
  EXPECT(tensor.rows(2, 2).ok());
  EXPECT(!tensor.rows(0, 3).ok());
  EXPECT(!tensor.rows(-1, 1).ok());
  EXPECT(!tensor.rows(1, 0).ok());
  EXPECT(!tensor.rows(0, kMost).ok());
  EXPECT(!counted({}).rows(0, 1).ok());
  EXPECT(tensor.view(5, {1}).ok());
  EXPECT(!tensor.view(5, {2}).ok());
  EXPECT(!tensor.view(-1, {2}).ok());
  EXPECT(!tensor.view(kMost, {2}).ok());
  EXPECT(!tensor.view(0, {kMost, kMost}).ok());
  EXPECT(!tensor.view(0, {-1, -2}).ok());
  EXPECT(!tensor.bitcast(DType::kHalf, {2, 3}).ok());
  EXPECT(!tensor.bitcast(DType::kString, {2, 3}).ok());
}

TINYTF_TEST(tensor_of_impossible_shape_is_refused) {
  constexpr int64_t kHuge = int64_t{1} << 33;
  const auto code = [](const Shape& shape, DType dtype = DType::kFloat) {
    return Tensor::allocate(Allocator::process(), dtype, shape).status().code();
  };
  EXPECT_EQ(code({2, -1}), Code::kInvalidArgument);
  EXPECT_EQ(code({-1, -1}), Code::kInvalidArgument);
  EXPECT_EQ(code({Size::kNoSize, 0}), Code::kInvalidArgument);
  EXPECT_EQ(code({kHuge, kHuge}), Code::kInvalidArgument);     // wraps to 4
  EXPECT_EQ(code({kHuge, kHuge, 0}), Code::kInvalidArgument);  // invalid even for an empty tensor
  EXPECT_EQ(code({0, kHuge, kHuge}), Code::kInvalidArgument);
  EXPECT_EQ(code(Shape(Dims(Shape::kMaxRank + 1, 1))), Code::kInvalidArgument);
  EXPECT_EQ(code({int64_t{1} << 61}), Code::kResourceExhausted);  // the byte count wraps to 0
  EXPECT_EQ(code({0, int64_t{1} << 61}), Code::kResourceExhausted);
  EXPECT_EQ(code({int64_t{1} << 60}, DType::kString), Code::kResourceExhausted);
  EXPECT_EQ(code({0, kHuge}), Code::kOk);
}

TINYTF_TEST(tensor_clone_is_a_copy_of_its_own) {
  const Tensor tensor = counted({5});
  Tensor copy = tensor.clone(Allocator::process()).take();
  EXPECT(copy.raw() != tensor.raw());
  copy.data<int32_t>()[0] = 9;
  EXPECT_EQ(tensor.int_at(0), 0);
  EXPECT_EQ(copy.int_at(4), 4);
}

TINYTF_TEST(tensor_of_strings) {
  Tensor tensor = Tensor::allocate(Allocator::process(), DType::kString, {2}).take();
  tensor.data<std::string>()[1] = "text";
  EXPECT_EQ(tensor.data<std::string>()[0], "");
  const Tensor copy = tensor.clone(Allocator::process()).take();
  tensor.data<std::string>()[1] = "other";
  EXPECT_EQ(copy.data<std::string>()[1], "text");
  EXPECT_EQ(Tensor::scalar(std::string("s")).data<std::string>()[0], "s");
}

TINYTF_TEST(tensor_without_value_and_without_elements) {
  EXPECT(!Tensor().valid());
  const Tensor empty = Tensor::allocate(Allocator::process(), DType::kDouble, {0, 3}).take();
  EXPECT(empty.valid());
  EXPECT_EQ(empty.bytes(), size_t{0});
  EXPECT_EQ(Tensor::scalar(2.5).data<double>()[0], 2.5);
}

TINYTF_TEST(tensor_elements_are_copied_in_ranges) {
  const Tensor from = counted({6});
  Tensor to = counted({6});
  copy_elements(from, 4, to, 0, 2);
  EXPECT_EQ(to.int_at(0), 4);
  EXPECT_EQ(to.int_at(1), 5);
  EXPECT_EQ(to.int_at(2), 2);
}

TINYTF_TEST(tensor_memory_is_aligned_and_reused) {
  auto allocator = RefPtr<Allocator>::adopt(new Allocator);
  const int64_t before = Allocator::live_buffers();
  const void* first = nullptr;
  for (int i = 0; i < 4; ++i) {
    const Tensor tensor = Tensor::allocate(*allocator, DType::kFloat, {1000}).take();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor.raw()) % 64, uintptr_t{0});
    EXPECT_EQ(Allocator::live_buffers(), before + 1);
    if (first == nullptr) first = tensor.raw();
    EXPECT_EQ(tensor.raw(), first);
  }
  const Allocator::Stats stats = allocator->stats();
  EXPECT_EQ(stats.live_bytes, 0);
  EXPECT(stats.peak_bytes >= 4000);
  EXPECT_EQ(stats.pool_hits, 3);
  allocator->trim();
  EXPECT_EQ(allocator->stats().pooled_bytes, 0);
  EXPECT_EQ(Allocator::live_buffers(), before);
}

TINYTF_TEST(tensor_memory_outlives_its_allocator) {
  auto allocator = RefPtr<Allocator>::adopt(new Allocator);
  Tensor tensor = Tensor::allocate(*allocator, DType::kInt32, {8}).take();
  allocator.reset();
  tensor.data<int32_t>()[7] = 1;
  EXPECT_EQ(tensor.int_at(7), 1);
}

TINYTF_TEST(tensor_of_impossible_size) {
  // Also byte counts beyond 64 bits, and elements that are objects.
  for (const int64_t n : {int64_t{1} << 47, int64_t{1} << 60, int64_t{1} << 61, std::numeric_limits<int64_t>::max()}) {
    for (const DType dtype : {DType::kDouble, DType::kComplex128, DType::kString, DType::kResource}) {
      const auto huge = Tensor::allocate(Allocator::process(), dtype, {n});
      EXPECT_EQ(huge.status().code(), Code::kResourceExhausted);
    }
  }
  EXPECT_EQ(Tensor::allocate(Allocator::process(), DType::kHalf, {int64_t{1} << 60, 4}).status().message(),
            "OOM when allocating tensor with shape[1152921504606846976,4] and type half on "
            "/job:localhost/replica:0/task:0/device:CPU:0 by allocator cpu");
}

TINYTF_TEST(tensor_summary_shows_type_shape_and_first_values) {
  EXPECT_EQ(counted({2, 3}).summary(), "<int32 [2,3]: 0 1 2 ...>");
  EXPECT_EQ(counted({3}).summary(), "<int32 [3]: 0 1 2>");
  EXPECT_EQ(counted({4}).summary(1), "<int32 [4]: 0 ...>");
  EXPECT_EQ(Tensor::scalar(Half(0.5f)).summary(), "<half []: 0.5>");
  EXPECT_EQ(Tensor::scalar(std::complex<float>(1, -2)).summary(), "<complex64 []: (1,-2)>");
  EXPECT_EQ(Tensor::scalar(std::string("text")).summary(), "<string []: text>");
  EXPECT_EQ(Tensor().summary(), "<no value>");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

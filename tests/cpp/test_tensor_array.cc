#include "ops/data_flow/shared/tensor_array.h"

#include <atomic>
#include <thread>

#include "tests/cpp/harness.h"
#include "tests/cpp/op_runner.h"

namespace tinytf {
namespace TINYTF_FILE {

using namespace testing;
using Floats = std::vector<float>;

const Tensor kFlow = Tensor::scalar<float>(0);

/// The handle of a new array of floats.
Tensor new_array(int32_t size, bool clears = true, PartialShape shape = PartialShape()) {
  auto made = OpRunner("TensorArrayV3")
                  .input(Tensor::scalar(size))
                  .attr("dtype", DType::kFloat)
                  .attr("clear_after_read", clears)
                  .attr("element_shape", std::move(shape))
                  .run();
  TINYTF_CHECK(made.ok());
  return made.value()[0];
}

Status write(const Tensor& handle, int32_t index, Tensor value) {
  return OpRunner("TensorArrayWriteV3")
      .input(handle)
      .input(Tensor::scalar(index))
      .input(std::move(value))
      .input(kFlow)
      .run()
      .status();
}

Status scatter(const Tensor& handle, const std::vector<int32_t>& indices, const Tensor& value) {
  return OpRunner("TensorArrayScatterV3")
      .input(handle)
      .input(tensor<int32_t>({static_cast<int64_t>(indices.size())}, indices))
      .input(value)
      .input(kFlow)
      .run()
      .status();
}

Result<Tensor> read(const Tensor& handle, int32_t index) {
  TINYTF_ASSIGN_OR_RETURN(std::vector<Tensor> out, OpRunner("TensorArrayReadV3")
                                                       .input(handle)
                                                       .input(Tensor::scalar(index))
                                                       .input(kFlow)
                                                       .attr("dtype", DType::kFloat)
                                                       .run());
  return out[0];
}

Result<Tensor> gather(const Tensor& handle, const std::vector<int32_t>& indices) {
  TINYTF_ASSIGN_OR_RETURN(std::vector<Tensor> out,
                          OpRunner("TensorArrayGatherV3")
                              .input(handle)
                              .input(tensor<int32_t>({static_cast<int64_t>(indices.size())}, indices))
                              .input(kFlow)
                              .attr("dtype", DType::kFloat)
                              .attr("element_shape", PartialShape())
                              .run());
  return out[0];
}

/// A value large enough that an array shares it without copying: [rows, 64].
Tensor large(int64_t rows = 1) {
  Floats numbers(static_cast<size_t>(rows) * 64);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
  return tensor<float>({rows, 64}, numbers);
}

Tensor gradient(const Tensor& handle) {
  auto made = OpRunner("TensorArrayGradV3").input(handle).input(kFlow).attr("source", std::string("g")).run();
  TINYTF_CHECK(made.ok());
  return made.value()[0];
}

TINYTF_TEST(tensor_array_hands_on_what_was_written) {
  const Tensor array = new_array(2);
  Tensor value = large();
  const void* memory = value.raw();
  EXPECT_OK(write(array, 0, std::move(value)));
  auto got = read(array, 0);
  EXPECT_OK(got.status());
  EXPECT(got.value().raw() == memory);
  EXPECT(got.value().writable_in_place());
}

TINYTF_TEST(tensor_array_keeps_what_it_does_not_clear) {
  const Tensor array = new_array(1, false);
  EXPECT_OK(write(array, 0, large()));
  auto first = read(array, 0), second = read(array, 0);
  EXPECT_OK(first.status());
  EXPECT(first.value().raw() == second.value().raw());
  EXPECT(!first.value().writable_in_place());
}

TINYTF_TEST(tensor_array_scatters_and_splits_without_copies) {
  const Tensor value = large(3);
  const Tensor array = new_array(3);
  EXPECT_OK(scatter(array, {2, 0, 1}, value));
  auto row = read(array, 0);
  EXPECT(row.value().raw() == value.data<float>() + 64);
  EXPECT_EQ(row.value().shape(), Shape({64}));

  const Tensor pieces = new_array(2);
  auto split =
      OpRunner("TensorArraySplitV3").input(pieces).input(value).input(tensor<int64_t>({2}, {1, 2})).input(kFlow).run();
  EXPECT_OK(split.status());
  auto piece = read(pieces, 1);
  EXPECT(piece.value().raw() == value.data<float>() + 64);
  EXPECT_EQ(piece.value().shape(), Shape({2, 64}));
}

TINYTF_TEST(tensor_array_gathers_one_without_a_copy) {
  const Tensor array = new_array(2);
  const Tensor value = large();
  EXPECT_OK(write(array, 1, value));
  auto got = gather(array, {1});
  EXPECT_OK(got.status());
  EXPECT(got.value().raw() == value.raw());
  EXPECT_EQ(got.value().shape(), Shape({1, 1, 64}));
}

TINYTF_TEST(tensor_array_unpacks_and_stacks_rows_without_copies) {
  for (const bool clears : {true, false}) {
    const Tensor value = large(3);
    const Tensor array = new_array(3, clears);
    EXPECT_OK(scatter(array, {0, 1, 2}, value));
    auto stacked = gather(array, {0, 1, 2});
    EXPECT_OK(stacked.status());
    EXPECT(stacked.value().raw() == value.raw());
    EXPECT_EQ(read(array, 1).ok(), !clears);
  }
}

TINYTF_TEST(tensor_array_lays_small_values_side_by_side) {
  const Tensor array = new_array(3);
  const Tensor value = tensor<float>({2}, {3, 4});
  EXPECT_OK(write(array, 2, tensor<float>({2}, {5, 6})));
  EXPECT_OK(write(array, 0, tensor<float>({2}, {1, 2})));
  EXPECT_OK(write(array, 1, value));
  EXPECT(value.writable_in_place());  // it was copied
  auto stacked = gather(array, {0, 1, 2});
  EXPECT_OK(stacked.status());
  EXPECT_EQ(values<float>(stacked.value()), (Floats{1, 2, 3, 4, 5, 6}));
  EXPECT(stacked.value().writable_in_place());  // the array no longer references it
  EXPECT_EQ(read(array, 0).status().code(), Code::kInvalidArgument);
}

TINYTF_TEST(tensor_array_says_the_same_of_elements_side_by_side_and_apart) {
  for (const int64_t n : {1, 64}) {
    const Tensor value = tensor<float>({n}, Floats(static_cast<size_t>(n), 1));
    const Tensor array = new_array(3);
    EXPECT_OK(write(array, 0, value));
    EXPECT(write(array, 0, value).message().find("it has already been written to.") != std::string::npos);
    EXPECT_OK(read(array, 0).status());
    EXPECT(write(array, 0, value).message().find("it has already been read.") != std::string::npos);
    EXPECT(read(array, 0).status().message().find("Could not read index 0 twice") != std::string::npos);
    EXPECT(read(array, 1).status().message().find("Could not read from TensorArray index 1") != std::string::npos);
    EXPECT(!gather(array, {0, 1}).ok());
  }
}

TINYTF_TEST(tensor_array_takes_elements_of_several_shapes) {
  const Tensor array = new_array(4, false);
  EXPECT_OK(write(array, 0, tensor<float>({1}, {1})));
  EXPECT_OK(write(array, 1, tensor<float>({2}, {2, 3})));
  EXPECT_OK(write(array, 2, large()));
  EXPECT_OK(write(array, 3, tensor<float>({1}, {4})));
  EXPECT_EQ(values<float>(read(array, 0).value()), (Floats{1}));
  EXPECT_EQ(values<float>(read(array, 1).value()), (Floats{2, 3}));
  EXPECT_EQ(read(array, 2).value().shape(), Shape({1, 64}));
  EXPECT_EQ(values<float>(gather(array, {3, 0}).value()), (Floats{4, 1}));
  EXPECT(!gather(array, {0, 1, 2, 3}).ok());
}

TINYTF_TEST(tensor_array_of_gradients_adds_to_rows_that_are_not_its_own) {
  const Tensor array = new_array(2);
  EXPECT_OK(scatter(array, {0, 1}, tensor<float>({2, 1}, {0, 0})));
  const Tensor sums = gradient(array);
  const Tensor rows = tensor<float>({2, 1}, {1, 2});
  EXPECT_OK(scatter(sums, {0, 1}, rows));
  EXPECT_OK(scatter(sums, {0, 1}, rows));
  EXPECT_OK(write(sums, 1, tensor<float>({1}, {10})));
  EXPECT(!write(sums, 1, tensor<float>({2}, {1, 1})).ok());
  EXPECT_EQ(values<float>(rows), (Floats{1, 2}));
  EXPECT_EQ(values<float>(gather(sums, {0, 1}).value()), (Floats{2, 14}));
}

TINYTF_TEST(tensor_array_of_gradients_adds_in_memory_of_its_own) {
  const Tensor array = new_array(1);
  EXPECT_OK(write(array, 0, tensor<float>({2}, {0, 0})));
  const Tensor sums = gradient(array);
  const Tensor first = tensor<float>({2}, {1, 2});
  EXPECT_OK(write(sums, 0, first));
  EXPECT_OK(write(sums, 0, tensor<float>({2}, {10, 20})));
  EXPECT_OK(write(gradient(array), 0, tensor<float>({2}, {100, 200})));
  EXPECT_EQ(values<float>(first), (Floats{1, 2}));
  EXPECT_EQ(values<float>(read(sums, 0).value()), (Floats{111, 222}));
}

TINYTF_TEST(tensor_array_zeros_of_a_gather_are_not_written_to) {
  const Tensor array = new_array(3, false, PartialShape({2}));
  auto got = gather(array, {0, 1, 2});
  EXPECT_OK(got.status());
  EXPECT_EQ(values<float>(got.value()), Floats(6, 0));
  EXPECT(!read(array, 0).value().writable_in_place());
}

TINYTF_TEST(tensor_array_lives_as_long_as_a_handle) {
  Tensor sums;
  {
    const Tensor array = new_array(1);
    EXPECT_OK(write(array, 0, tensor<float>({1}, {1})));
    sums = gradient(array);
  }
  EXPECT_EQ(values<float>(read(sums, 0).value()), Floats{0});
}

TINYTF_TEST(tensor_array_is_used_by_threads) {
  constexpr int kThreads = 4, kEach = 50;
  const Tensor array = new_array(kThreads * kEach);
  const Tensor sums = gradient(array);
  std::atomic<int> failures{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        failures += !write(array, t * kEach + i, tensor<float>({1}, {1})).ok();
        failures += !write(sums, i, tensor<float>({1}, {1})).ok();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failures.load(), 0);
  std::vector<int32_t> indices(kEach);
  for (int i = 0; i < kEach; ++i) indices[i] = i;
  EXPECT_EQ(values<float>(gather(sums, indices).value()), Floats(kEach, kThreads));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

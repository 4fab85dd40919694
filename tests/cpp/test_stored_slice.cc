#include "io/stored_slice.h"

#include "base/crc32c.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::TemporaryFolder;

TINYTF_TEST(parts_must_lie_in_their_file) {
  const TemporaryFolder folder;
  testing::write(folder / "d", std::string(16, '\0'));
  const auto file = RandomAccessFile::open(folder / "d").take();
  BundleEntry entry;
  entry.dtype = DType::kInt32;
  entry.shape = Shape({2});
  entry.size = 8;
  const auto code = [&] { return stored_slice("k", entry, *file, TensorBox()).status().code(); };
  EXPECT_EQ(code(), Code::kOk);
  entry.offset = 8;
  EXPECT_EQ(code(), Code::kOk);
  entry.offset = 9;
  EXPECT_EQ(code(), Code::kOutOfRange);
  entry.size = 4;
  EXPECT_EQ(code(), Code::kDataLoss);
  entry.shape = Shape({INT64_MAX});
  EXPECT_EQ(code(), Code::kDataLoss);
  entry.dtype = DType::kString;
  EXPECT_EQ(code(), Code::kDataLoss);
  entry.dtype = DType::kVariant;
  EXPECT_EQ(code(), Code::kDataLoss);
  entry.dtype = DType::kResource;
  EXPECT_EQ(code(), Code::kUnimplemented);
}

TINYTF_TEST(scattered_elements_are_read_through_a_buffer) {
  const TemporaryFolder folder;
  std::vector<int64_t> numbers(400000);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<int64_t>(i);
  const std::string bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(int64_t));
  testing::write(folder / "d", bytes);
  const auto file = RandomAccessFile::open(folder / "d").take();
  BundleEntry entry;
  entry.dtype = DType::kInt64;
  entry.shape = Shape({400, 1000});
  entry.size = static_cast<int64_t>(bytes.size());
  entry.masked_crc = masked_crc32c(bytes.data(), bytes.size());
  const TensorBox all = TensorBox::of(TensorSlice::whole(2), entry.shape);
  const TensorBox wanted = TensorBox::of(TensorSlice::parse("10,300:5,2").value(), entry.shape);
  StoredSlice part = stored_slice("k", entry, *file, all).take();
  Tensor to = Tensor::allocate(Allocator::process(), DType::kInt64, {300, 2}).take();
  EXPECT_OK(read_scattered(part, wanted, false, to));
  for (int64_t i = 0; i < 300; ++i) EXPECT_EQ(to.data<int64_t>()[2 * i + 1], (10 + i) * 1000 + 6);
  part.entry.masked_crc ^= 1;
  EXPECT_EQ(read_scattered(part, wanted, false, to).code(), Code::kDataLoss);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

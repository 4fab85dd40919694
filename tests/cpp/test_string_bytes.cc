#include "io/string_bytes.h"

#include "base/crc32c.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::hex;
using testing::strings_of;
using testing::TemporaryFolder;

SerialParallel serial;

/// The bytes of the strings, and their masked checksum.
std::pair<std::string, uint32_t> written(const TemporaryFolder& folder, const Tensor& strings) {
  auto file = WritableFile::create(folder / "s").take();
  const uint32_t crc = append_strings(*file, strings, serial).take();
  EXPECT_OK(file->close());
  return {testing::content(folder / "s"), mask_crc(crc)};
}

TINYTF_TEST(strings_stand_as_tensorflow_writes_them) {
  const TemporaryFolder folder;
  EXPECT(written(folder, strings_of({2}, {"a", "bc"})) == std::make_pair(hex("0102 bfdfdb7a 616263"), 0x8536e4e9u));
  EXPECT(written(folder, strings_of({}, {"xyz"})) == std::make_pair(hex("03 633f7f28 78797a"), 0x7bf6ab13u));
  EXPECT(written(folder, strings_of({0}, {})) == std::make_pair(hex("d8ea82a2"), 0x640cc1f6u));
}

Status read_back(const TemporaryFolder& folder, const std::string& bytes, int64_t count,
                 std::string* joined = nullptr) {
  testing::write(folder / "s", "pre" + bytes);
  const auto file = RandomAccessFile::open(folder / "s").take();
  Tensor strings = Tensor::allocate(Allocator::process(), DType::kString, {count}).take();
  const auto crc = read_strings(*file, 3, bytes.size(), strings);
  if (crc.ok() && joined != nullptr) {
    *joined = str_join(std::vector<std::string>(strings.data<std::string>(), strings.data<std::string>() + count), "|",
                       [](const std::string& text) { return text; });
  }
  return crc.status();
}

TINYTF_TEST(strings_are_read_and_damage_is_seen) {
  const TemporaryFolder folder;
  std::string joined;
  EXPECT_OK(read_back(folder, hex("0102 bfdfdb7a 616263"), 2, &joined));
  EXPECT_EQ(joined, "a|bc");
  const Status lengths = read_back(folder, hex("0103 bfdfdb7a 616263"), 2);
  EXPECT_EQ(lengths.code(), Code::kDataLoss);
  EXPECT_EQ(lengths.message().substr(0, 45), "The length checksum does not match: expected ");
  EXPECT_EQ(read_back(folder, hex("0102 bfdfdb7a 6162"), 2).code(), Code::kDataLoss);
  EXPECT_EQ(read_back(folder, hex("0102 bfdfdb7a 61626364"), 2).code(), Code::kDataLoss);
  EXPECT_EQ(read_back(folder, hex("0102"), 2).code(), Code::kOutOfRange);
  EXPECT_EQ(read_back(folder, hex("ffffffffffffffffffff"), 1).code(), Code::kDataLoss);
  EXPECT(may_be_strings(4, 0) && may_be_strings(5, 1) && !may_be_strings(4, 1) && !may_be_strings(-1, 0));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

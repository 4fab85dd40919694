#include "io/bundle_entry.h"

#include "base/dtype.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::hex;

TINYTF_TEST(headers_of_checkpoints_stand_as_tensorflow_writes_them) {
  EXPECT_EQ(BundleHeader::of(1).bytes(), hex("08011a020801"));
  EXPECT_EQ(BundleHeader::of(2).bytes(), hex("08021a020801"));
  const BundleHeader header = BundleHeader::parse(hex("0803 1001 1a020807")).take();
  EXPECT_EQ(header.data_files, 3);
  EXPECT(header.big_endian);
  EXPECT_EQ(header.version, hex("0807"));
  EXPECT_OK(BundleHeader::parse(hex("0801")).status());  // without a version
}

TINYTF_TEST(checkpoints_that_are_too_new_are_refused_with_tensorflows_words) {
  EXPECT_EQ(
      BundleHeader::parse(hex("0801 1a021002")).status().to_string(),
      "Invalid argument: Checkpoint min consumer version 2 above current version 1 for TensorFlow 1.15.5.  Please "
      "upgrade TensorFlow.");
  EXPECT_EQ(BundleHeader::parse(hex("0801 1a021801")).status().to_string(),
            "Invalid argument: Checkpoint disallows consumer version 1.  Please upgrade TensorFlow: this version is "
            "likely buggy.");
  EXPECT_EQ(BundleHeader::parse(hex("0801 1a031a0101")).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(BundleHeader::parse(hex("08")).status().code(), Code::kDataLoss);
}

TINYTF_TEST(entries_stand_as_tensorflow_writes_them) {
  BundleEntry entry;
  entry.dtype = DType::kFloat;
  entry.shape = Shape({1});
  entry.size = 4;
  entry.masked_crc = 0x2bdaa581;
  EXPECT_EQ(entry.bytes(), hex("08 01 12 04 12 02 08 01 28 04 35 81 a5 da 2b"));
  entry.shape = Shape();
  entry.size = 0;
  entry.masked_crc = 0;
  EXPECT_EQ(entry.bytes(), hex("0801 1200"));
  entry.shape = Shape({0, 3});
  EXPECT_EQ(entry.bytes(), hex("0801 1206 1200 12020803"));
  entry.shape = Shape({5, 2});
  for (const char* slice : {"0,3:0,2", "3,2:0,2"}) entry.slices.push_back(TensorSlice::parse(slice).value());
  EXPECT_EQ(entry.bytes(), hex("0801 1208 12020805 12020802 3a08 0a021003 0a021002 3a0a 0a0408031002 0a021002"));
}

TINYTF_TEST(entries_come_back) {
  BundleEntry entry;
  entry.dtype = DType::kString;
  entry.shape = Shape({2, 0, 7});
  entry.data_file = 12;
  entry.offset = int64_t{1} << 40;
  entry.size = 99;
  entry.masked_crc = 0xffffffff;
  const BundleEntry read = BundleEntry::parse(entry.bytes(), "k").take();
  EXPECT_EQ(read.dtype, entry.dtype);
  EXPECT(read.shape == entry.shape);
  EXPECT_EQ(read.data_file, 12);
  EXPECT_EQ(read.offset, entry.offset);
  EXPECT_EQ(read.size, 99);
  EXPECT_EQ(read.masked_crc, 0xffffffffu);
  EXPECT_EQ(BundleEntry::parse(hex("0801"), "k").value().shape.rank(), 0);  // a missing shape means a scalar
}

TINYTF_TEST(damaged_entries_name_their_key) {
  EXPECT_EQ(BundleEntry::parse(hex("08"), "k").status().to_string(), "Data loss: Entry for key k not parseable.");
  EXPECT_EQ(BundleEntry::parse(hex("0801 120d120b08ffffffffffffffffff01"), "k").status().code(), Code::kDataLoss);
  EXPECT_EQ(BundleEntry::parse(hex("0801 3a040a021000"), "k").status().code(), Code::kDataLoss);
  EXPECT_EQ(BundleEntry::parse(hex("08e7071200"), "k").value().dtype, DType::kInvalid);
}

TINYTF_TEST(files_of_checkpoints_have_tensorflows_names) {
  EXPECT_EQ(index_file_name("a/m-1"), "a/m-1.index");
  EXPECT_EQ(data_file_name("m", 1, 12), "m.data-00001-of-00012");
  EXPECT_EQ(data_file_name("m", 0, 1234567), "m.data-00000-of-1234567");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "io/bundle_writer.h"

#include "io/bundle_reader.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::hex;
using testing::strings_of;
using testing::TemporaryFolder;
using testing::tensor_of;

SerialParallel serial;

TINYTF_TEST(a_checkpoint_is_tensorflows_byte_for_byte) {
  const TemporaryFolder folder;
  auto writer = BundleWriter::create(folder / "m").take();
  EXPECT_OK(writer->add("v", tensor_of<float>({1}, {1}), serial));
  EXPECT_OK(writer->finish());
  EXPECT(folder.names() == std::vector<std::string>({"m.data-00000-of-00001", "m.index"}));
  EXPECT_EQ(testing::content(folder / "m.data-00000-of-00001"), hex("0000803f"));
  EXPECT_EQ(testing::content(folder / "m.index"),
            hex("000006 08011a020801  00010f 76 080112041202080128043581a5da2b  00000000 01000000 00 5fa41f4d"
                "00000000 01000000 00 c0f2a1b0  000102 77 0024 00000000 01000000 00 9460b2cd  2908360e") +
                std::string(36, '\0') + hex("57fb808b247547db"));
}

TINYTF_TEST(slices_are_tensorflows_byte_for_byte) {
  const TemporaryFolder folder;
  auto writer = BundleWriter::create(folder / "m").take();
  EXPECT_OK(writer->add_slice("part", parse_shape_and_slice("5 2 0,3:0,2").value(),
                              tensor_of<float>({3, 2}, {0, 1, 2, 3, 4, 5}), serial));
  EXPECT_OK(writer->add_slice("part", parse_shape_and_slice("5 2 3,2:0,2").value(),
                              tensor_of<float>({2, 2}, {6, 7, 8, 9}), serial));
  EXPECT_OK(writer->finish());
  EXPECT_EQ(testing::content(folder / "m.index"),
            hex("000006 08011a020801"
                "000d13 00706172740001 0102 80838082 0801 1208 12020803 12020802 2818 35 c0db3d17"
                "090415 83828082 0801 1208 12020802 12020802 2018 2810 35 500f12bc"
                "000422 70617274 0801 1208 12020805 12020802 3a08 0a021003 0a021002 3a0a 0a0408031002 0a021002"
                "00000000 01000000 00 240cd933  00000000 01000000 00 c0f2a1b0"
                "000102 71 0079 00000000 01000000 00 1af2ac79  7e08 8b01 0e") +
                std::string(35, '\0') + hex("57fb808b247547db"));
}

TINYTF_TEST(strings_are_tensorflows_byte_for_byte) {
  const TemporaryFolder folder;
  auto writer = BundleWriter::create(folder / "m").take();
  EXPECT_OK(writer->add("s", strings_of({2}, {"a", "bc"}), serial));
  EXPECT_OK(writer->finish());
  EXPECT_EQ(testing::content(folder / "m.data-00000-of-00001"), hex("0102 bfdfdb7a 616263"));
  auto reader = BundleReader::open(folder / "m").take();
  EXPECT_EQ(reader->index().find("s").value().masked_crc, 0x8536e4e9u);
}

TINYTF_TEST(a_slice_that_is_all_is_an_ordinary_entry) {
  const TemporaryFolder folder;
  auto writer = BundleWriter::create(folder / "m").take();
  EXPECT_OK(writer->add_slice("p", parse_shape_and_slice("2 2 0,2:0,2").value(),
                              tensor_of<int32_t>({2, 2}, {1, 2, 3, 4}), serial));
  EXPECT_OK(writer->finish());
  auto reader = BundleReader::open(folder / "m").take();
  EXPECT(reader->index().find("p").value().slices.empty());
}

TINYTF_TEST(what_cannot_be_saved_is_refused) {
  const TemporaryFolder folder;
  auto writer = BundleWriter::create(folder / "m").take();
  const Tensor one = tensor_of<float>({1}, {1});
  EXPECT_OK(writer->add("a", one, serial));
  EXPECT_EQ(writer->add("a", one, serial).to_string(), "Invalid argument: Adding duplicate key: a");
  EXPECT_EQ(writer->add("", one, serial).code(), Code::kInvalidArgument);
  EXPECT_EQ(writer->add("h", Tensor::allocate(Allocator::process(), DType::kResource, {}).take(), serial).code(),
            Code::kUnimplemented);
  const ShapeAndSlice first = parse_shape_and_slice("2 0,1").value();
  EXPECT_EQ(writer->add_slice("a", first, one, serial).to_string(), "Invalid argument: Adding duplicate key: a");
  EXPECT_OK(writer->add_slice("p", first, one, serial));
  EXPECT_EQ(writer->add_slice("p", parse_shape_and_slice("3 0,1").value(), one, serial).code(), Code::kInvalidArgument);
  EXPECT_EQ(writer->add_slice("p", first, one, serial).code(), Code::kInvalidArgument);  // a duplicate slice
  EXPECT_EQ(BundleWriter::create(folder / "no/no/m").status().code(), Code::kNotFound);
}

TINYTF_TEST(a_checkpoint_that_is_not_finished_leaves_nothing) {
  const TemporaryFolder folder;
  {
    auto writer = BundleWriter::create(folder / "m").take();
    EXPECT_OK(writer->add("a", tensor_of<float>({1}, {1}), serial));
    EXPECT_EQ(folder.names().size(), 1u);
  }
  EXPECT(folder.names().empty());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

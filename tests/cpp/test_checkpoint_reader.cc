#include "io/checkpoint_reader.h"

#include "io/bundle_writer.h"
#include "io/early_checkpoint_writer.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::TemporaryFolder;
using testing::tensor_of;

SerialParallel serial;

void check(const std::string& prefix, const std::string& description, const std::string& missing) {
  auto reader = CheckpointReader::open(prefix).take();
  const auto tensors = reader->tensors().take();
  EXPECT_EQ(tensors.size(), 2u);
  EXPECT(tensors.at("p").shape == Shape({4}));
  EXPECT_EQ(tensors.at("i").dtype, DType::kInt32);
  EXPECT(reader->has("p").value());
  EXPECT(!reader->has("no").value() && !reader->has("").value());
  EXPECT_EQ(reader->read("p", Allocator::process(), serial).value().data<float>()[2], 3.0f);
  EXPECT_EQ(*reader->read("i", Allocator::process(), serial).value().data<int32_t>(), 7);
  EXPECT_EQ(reader->read("no", Allocator::process(), serial).status().to_string(), missing);
  EXPECT_EQ(reader->debug_string().value(), description);
}

TINYTF_TEST(checkpoints_of_both_formats_are_described_and_read) {
  const TemporaryFolder folder;
  const ShapeAndSlice first = parse_shape_and_slice("4 0,2").value(), second = parse_shape_and_slice("4 2,2").value();
  auto writer = BundleWriter::create(folder / "m").take();
  EXPECT_OK(writer->add("i", tensor_of<int32_t>({}, {7}), serial));
  EXPECT_OK(writer->add_slice("p", first, tensor_of<float>({2}, {1, 2}), serial));
  EXPECT_OK(writer->add_slice("p", second, tensor_of<float>({2}, {3, 4}), serial));
  EXPECT_OK(writer->finish());
  check(folder / "m",
        testing::hex("00 70 0001 0101 8082") + " (DT_FLOAT) [2]\n" + testing::hex("00 70 0001 0101 8282") +
            " (DT_FLOAT) [2]\ni (DT_INT32) []\n",
        "Not found: Key no not found in checkpoint");
  EarlyCheckpointWriter early(folder / "early");
  EXPECT_OK(early.add("i", {Shape(), TensorSlice(), Shape()}, tensor_of<int32_t>({}, {7})));
  EXPECT_OK(early.add("p", first, tensor_of<float>({2}, {1, 2})));
  EXPECT_OK(early.add("p", second, tensor_of<float>({2}, {3, 4})));
  EXPECT_OK(early.finish());
  check(folder / "early", "i (DT_INT32) []\np (DT_FLOAT) [4], 2 slices\n",
        "Not found: no not found in checkpoint file");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

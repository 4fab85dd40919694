#include "io/early_checkpoint_writer.h"

#include "io/early_checkpoint_reader.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::hex;
using testing::TemporaryFolder;
using testing::tensor_of;

ShapeAndSlice whole(const Shape& shape) { return {shape, TensorSlice::whole(shape.rank()), shape}; }

TINYTF_TEST(early_checkpoints_are_one_table) {
  const TemporaryFolder folder;
  EarlyCheckpointWriter writer(folder / "m");
  EXPECT_OK(writer.add("v", whole({1}), tensor_of<float>({1}, {1})));
  EXPECT_OK(writer.finish());
  EXPECT(folder.names() == std::vector<std::string>({"m"}));
  TableCursor cursor = TableCursor::open(Table::open(folder / "m").take()).take();
  cursor.seek_to_first();
  EXPECT_EQ(cursor.key(), "");
  EXPECT_EQ(std::string(cursor.value()), hex("0a15 0a0f 0a0176 120412020801 1801 22020a00 12020801"));
  cursor.next();
  EXPECT_EQ(cursor.key(), hex("00 76 0001 0101 80 7f"));
  EXPECT_EQ(std::string(cursor.value()), hex("120f 0a0176 12020a00 1a062a040000803f"));
}

TINYTF_TEST(early_checkpoints_refuse_what_they_cannot_have) {
  const TemporaryFolder folder;
  EarlyCheckpointWriter writer(folder / "m");
  const Tensor one = tensor_of<float>({1}, {1});
  EXPECT_OK(writer.add("p", parse_shape_and_slice("2 0,1").value(), one));
  EXPECT_EQ(writer.add("p", parse_shape_and_slice("3 1,1").value(), one).to_string(),
            "Internal: Mismatching shapes: existing tensor = [2], trying to add name p, shape = [3]");
  EXPECT_EQ(writer.add("p", parse_shape_and_slice("2 1,1").value(), tensor_of<int32_t>({1}, {1})).to_string(),
            "Internal: Mismatching types: existing type = float, trying to add name p, type = int32");
  EXPECT_EQ(writer.add("u", whole({1}), tensor_of<uint32_t>({1}, {1})).to_string(),
            "Unimplemented: Saving data type uint32 not yet supported");
  EXPECT(folder.names().empty());
  EXPECT_EQ(EarlyCheckpointWriter(folder / "no/m").finish().code(), Code::kNotFound);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "io/slice_proto.h"

#include "io/tensor_proto.h"
#include "tests/cpp/io_fixture.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::hex;

std::string written(const char* slice) {
  std::string bytes;
  WireWriter to(&bytes);
  write_slice(to, TensorSlice::parse(slice).value());
  return bytes;
}

TINYTF_TEST(slices_are_messages_as_tensorflow_writes_them) {
  EXPECT_EQ(written("0,3:0,2"), hex("0a021003 0a021002"));
  EXPECT_EQ(written("3,2:0,2"), hex("0a0408031002 0a021002"));
  EXPECT_EQ(written("-"), hex("0a00"));
  for (const char* slice : {"0,3:0,2", "3,2:-", "-", "", "7,9000000000:1,1"}) {
    EXPECT(read_slice(written(slice)).value() == TensorSlice::parse(slice).value());
  }
}

TINYTF_TEST(slices_that_cannot_be_are_refused) {
  EXPECT_EQ(read_slice(hex("0a02 1000")).status().code(), Code::kInvalidArgument);                         // length 0
  EXPECT_EQ(read_slice(hex("0a02 0801")).status().code(), Code::kInvalidArgument);                         // no length
  EXPECT_EQ(read_slice(hex("0a0d 08ffffffffffffffffff01 1001")).status().code(), Code::kInvalidArgument);  // start -1
  EXPECT_EQ(read_slice(hex("0a03 10")).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(read_slice(hex("0a01 10")).status().code(), Code::kInvalidArgument);
}

TINYTF_TEST(shapes_that_no_tensor_has_are_refused) {
  EXPECT(read_known_shape("").value() == Shape());
  EXPECT(read_known_shape(hex("1801")).value() == Shape());
  EXPECT(read_known_shape(hex("1200 12020803")).value() == Shape({0, 3}));
  EXPECT_EQ(read_known_shape(hex("120b08ffffffffffffffffff01")).status().code(), Code::kInvalidArgument);
  EXPECT_EQ(read_known_shape(hex("120a08ffffffffffffffff7f 12020803")).status().code(), Code::kInvalidArgument);
  std::string many;
  for (int i = 0; i < 300; ++i) many += hex("12020801");
  EXPECT_EQ(read_known_shape(many).status().code(), Code::kInvalidArgument);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "graph/op_def_proto.h"

#include "op/op_registry.h"
#include "op/op_summary.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

std::string written(const OpDef& op) {
  std::string out;
  WireWriter to(&out);
  EXPECT_OK(write_op_def(to, op));
  return out;
}

TINYTF_TEST(op_def_proto_keeps_every_declaration) {
  EXPECT(OpRegistry::global().all().size() > 300);
  for (const OpDef& op : OpRegistry::global().all()) {
    auto found = read_op_def(written(op));
    EXPECT_OK(found.status());
    found.value().is_commutative = op.is_commutative;  // not applicable to functions
    found.value().is_aggregate = op.is_aggregate;
    found.value().allows_uninitialized_input = op.allows_uninitialized_input;
    EXPECT_EQ(op_summary(found.value()), op_summary(op));
    EXPECT(written(found.value()).size() <= written(op).size());
  }
}

TINYTF_TEST(op_def_proto_damage_is_found) {
  const std::string bytes = written(*OpRegistry::global().find("Conv2D"));
  for (size_t size = 1; size < bytes.size(); ++size) {
    auto found = read_op_def(std::string_view(bytes).substr(0, size));
    EXPECT(!found.ok() || written(found.value()).size() <= size);
  }
  EXPECT_EQ(read_op_def("\x22\x05\x12\x03int").status().code(), Code::kOk);
  EXPECT_EQ(read_op_def("\x22\x05\x12\x03inx").status().message(), "'inx' is not a type of an attr");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

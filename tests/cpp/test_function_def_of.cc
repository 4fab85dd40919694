#include "graph/function_def_of.h"

#include "graph/attr_proto.h"
#include "tests/cpp/functions.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::definition;

TINYTF_TEST(function_def_describes_what_belongs_to_the_body) {
  const FunctionDef f = read_function_def(definition()).take();
  EXPECT_EQ(f.name(), "f");
  EXPECT(f.signature.is_stateful);  // because of the check
  EXPECT_EQ(f.signature.inputs[0].name, "x_in");
  EXPECT_EQ(f.signature.inputs[1].name, "y");
  EXPECT_EQ(f.signature.outputs[0].name, "y_top");
  EXPECT_EQ(f.signature.outputs[0].type, DType::kInt32);
  EXPECT_EQ(f.nodes.size(), 3u);
  EXPECT(f.nodes[2].inputs == (std::vector<std::string>{"x_in", "k:output:0", "^checked", "^y"}));
  EXPECT_EQ(f.ret.at("y_top"), "y/top:indices:0");
  EXPECT_EQ(f.ret.at("y"), "y");
  EXPECT_EQ(f.control_ret.at("checked"), "checked");
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

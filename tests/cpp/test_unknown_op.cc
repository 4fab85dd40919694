#include "graph/unknown_op.h"

#include "graph/attr_proto.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

/// Builds the definition of a node with attrs.
class Node {
 public:
  Node& attr(std::string_view name, const AttrValue& value) {
    WireWriter to(&values_.emplace_back());
    EXPECT_OK(write_attr(to, value));
    view_.attrs.push_back({name, values_.back()});
    return *this;
  }
  std::string types(const OpDef* producers = nullptr, const UnknownOutputs& known = {}) const {
    return str_join(unknown_output_types(view_, producers, known), " ",
                    [](ArgType type) { return str_cat(dtype_name(type.dtype), type.is_ref ? "&" : ""); });
  }

 private:
  std::deque<std::string> values_;
  NodeDefView view_;
};

UnknownOutputs read(int64_t count, std::map<int64_t, ArgType> types = {}) { return {count, std::move(types)}; }

TINYTF_TEST(unknown_op_has_the_outputs_that_are_read) {
  EXPECT_EQ(Node().types(), "");
  EXPECT_EQ(Node().types(nullptr, read(2)), "variant variant");
  EXPECT_EQ(Node().types(nullptr, read(2, {{1, {DType::kUint8, true}}})), "variant uint8&");
}

TINYTF_TEST(unknown_op_takes_types_from_attrs_of_usual_names) {
  const std::vector<DType> types = {DType::kInt64, DType::kString};
  EXPECT_EQ(Node().attr("Tout", types).types(), "int64 string");
  EXPECT_EQ(Node().attr("output_types", types).types(nullptr, read(3)), "int64 string variant");
  EXPECT_EQ(Node().attr("output_types", types).types(nullptr, read(1, {{0, {DType::kHalf, false}}})), "half string");
  EXPECT_EQ(Node().attr("T", DType::kHalf).types(), "");
  EXPECT_EQ(Node().attr("T", DType::kHalf).attr("dtype", DType::kBool).types(nullptr, read(1)), "bool");
  EXPECT_EQ(Node().attr("T", int64_t{1}).types(nullptr, read(1)), "variant");
}

TINYTF_TEST(unknown_op_is_what_its_producer_declares) {
  OpDef op;
  op.name = "Decode";
  ArgDef image, rest;
  image.type_attr = "dtype";
  image.is_ref = true;
  rest.type = DType::kInt32;
  rest.number_attr = "N";
  op.outputs = {image, rest};
  AttrDef dtype, count;
  dtype.name = "dtype";
  dtype.kind = AttrKind::kType;
  dtype.default_value = DType::kUint8;
  count.name = "N";
  count.kind = AttrKind::kInt;
  op.attrs = {dtype, count};
  EXPECT_EQ(Node().attr("N", int64_t{2}).types(&op, read(1, {{0, {DType::kHalf, false}}})), "uint8& int32 int32");
  EXPECT_EQ(Node().attr("N", int64_t{0}).attr("dtype", DType::kHalf).types(&op), "half&");
  EXPECT_EQ(Node().types(&op, read(1)), "variant");  // N is missing, so the declaration is ignored
  EXPECT_EQ(Node().attr("N", int64_t{-1}).types(&op), "");
}

TINYTF_TEST(unknown_op_declares_what_one_node_has) {
  AttrMap attrs;
  attrs.set("box", std::vector<PartialShape>{PartialShape()});
  attrs.set("T", DType::kFloat);
  attrs.set("_class", std::vector<std::string>{"loc:@a"});
  const OpDef op = declare_unknown_op("Crop", {{DType::kFloat, true}}, {{DType::kInt32, true}}, attrs);
  EXPECT(is_unknown_op(op) && op.is_stateful && !is_unknown_op(OpDef()));
  EXPECT_EQ(op.inputs.size(), 1u);
  EXPECT(!op.inputs[0].is_ref && op.outputs[0].is_ref);
  EXPECT_EQ(op.attrs.size(), 2u);
  EXPECT_EQ(op.find_attr("box")->kind_text(), "list(shape)");
  NodeInfo node;
  node.name = "crop";
  node.op = &op;
  node.attrs = attrs;
  node.inputs = {{DType::kFloat, true}};
  EXPECT_OK(complete_node(node, {}));
  EXPECT_EQ(node.outputs.size(), 1u);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

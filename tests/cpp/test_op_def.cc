#include "op/op_def.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace {

TINYTF_TEST(op_def_inputs_and_outputs) {
  OpDef def;
  OpDefBuilder(&def)
      .attr("N: int >= 1")
      .attr("T: {float, int32}")
      .input("x: float")
      .input("y: T")
      .input("many: N * T")
      .input("v: Ref(T)")
      .output("out: int64");
  EXPECT_EQ(def.inputs.size(), size_t{4});
  EXPECT_EQ(def.inputs[0].type, DType::kFloat);
  EXPECT_EQ(def.inputs[1].type_attr, "T");
  EXPECT(!def.inputs[1].is_list());
  EXPECT_EQ(def.inputs[2].number_attr, "N");
  EXPECT(def.inputs[2].is_list());
  EXPECT(def.inputs[3].is_ref);
  EXPECT_EQ(def.outputs[0].type, DType::kInt64);
}

TINYTF_TEST(op_def_attrs) {
  OpDef def;
  OpDefBuilder(&def)
      .attr("a: int >= 1 = 2")
      .attr("s: {'SAME', 'VALID'} = 'SAME'")
      .attr("T: {float, int32} = DT_INT32")
      .attr("l: list(int) = [1, 1]")
      .attr("b: bool = true")
      .attr("f: float = 0.5")
      .attr("shape: shape")
      .attr("any: type");
  EXPECT_EQ(*def.find_attr("a")->minimum, 1);
  EXPECT_EQ(std::get<int64_t>(*def.find_attr("a")->default_value), 2);
  EXPECT_EQ(def.find_attr("s")->allowed_strings.size(), size_t{2});
  EXPECT_EQ(std::get<std::string>(*def.find_attr("s")->default_value), "SAME");
  EXPECT(def.find_attr("T")->allowed_types == (std::vector<DType>{DType::kFloat, DType::kInt32}));
  EXPECT_EQ(std::get<DType>(*def.find_attr("T")->default_value), DType::kInt32);
  EXPECT_EQ(def.find_attr("l")->kind_text(), "list(int)");
  EXPECT_EQ(std::get<std::vector<int64_t>>(*def.find_attr("l")->default_value).size(), size_t{2});
  EXPECT_EQ(std::get<bool>(*def.find_attr("b")->default_value), true);
  EXPECT_EQ(std::get<float>(*def.find_attr("f")->default_value), 0.5f);
  EXPECT(!def.find_attr("shape")->default_value);
  EXPECT(def.find_attr("any")->allowed_types.empty());
  EXPECT(def.find_attr("nothing") == nullptr);
}

TINYTF_TEST(op_def_flags) {
  OpDef def;
  OpDefBuilder(&def).stateful().commutative().not_differentiable().endpoint("math.f").doc("Says what.");
  EXPECT(def.is_stateful && def.is_commutative && !def.allows_uninitialized_input);
  EXPECT_EQ(def.gradient, GradientKind::kNotDifferentiable);
  EXPECT_EQ(def.endpoints[0], "math.f");
  EXPECT_EQ(def.doc, "Says what.");
}

TINYTF_TEST(attr_map_keeps_order_and_replaces) {
  AttrMap attrs;
  attrs.set("a", int64_t{1});
  attrs.set("b", std::string("text"));
  attrs.set("a", int64_t{2});
  EXPECT_EQ(attrs.size(), size_t{2});
  EXPECT_EQ(*attrs.get<int64_t>("a"), 2);
  EXPECT(attrs.get<bool>("a") == nullptr);
  EXPECT(attrs.find("c") == nullptr);
  EXPECT_EQ(attrs.begin()->first, "a");
  attrs.erase("a");
  EXPECT_EQ(attrs.size(), size_t{1});
}

TINYTF_TEST(attrs_compare_and_show_themselves) {
  EXPECT(attr_equal(AttrValue(int64_t{3}), AttrValue(int64_t{3})));
  EXPECT(!attr_equal(AttrValue(int64_t{3}), AttrValue(3.0f)));
  EXPECT(attr_equal(AttrValue(Tensor::scalar(2.0f)), AttrValue(Tensor::scalar(2.0f))));
  EXPECT(!attr_equal(AttrValue(Tensor::scalar(2.0f)), AttrValue(Tensor::scalar(1.0f))));
  EXPECT_EQ(attr_to_string(AttrValue(true)), "true");
  EXPECT_EQ(attr_to_string(AttrValue(std::string("SAME"))), "\"SAME\"");
  EXPECT_EQ(attr_to_string(AttrValue(DType::kFloat)), "DT_FLOAT");
  EXPECT_EQ(attr_to_string(AttrValue(std::vector<int64_t>{1, 2})), "[1, 2]");
}

}  // namespace
}  // namespace tinytf

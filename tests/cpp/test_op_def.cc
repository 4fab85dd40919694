#include "op/op_def.h"

#include "tests/cpp/death.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

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
  def.name = "_Op";
  EXPECT(!def.is_internal);
  OpDefBuilder(&def).internal();
  EXPECT(def.is_internal);
  OpDefBuilder(&def).stateful().commutative().not_differentiable().parameter("dim", "axis").endpoint("math.f");
  OpDefBuilder(&def).doc("Says what.");
  EXPECT(def.is_stateful && def.is_commutative && !def.allows_uninitialized_input);
  EXPECT_EQ(def.gradient, GradientKind::kNotDifferentiable);
  EXPECT_EQ(def.endpoints[0], "math.f");
  EXPECT_EQ(def.parameters[0].first + "=" + def.parameters[0].second, "dim=axis");
  EXPECT_EQ(def.doc, "Says what.");
}

TINYTF_TEST(op_def_traits) {
  OpDef def;
  OpDefBuilder builder(&def);
  builder.trait(Trait::kRandom).shape_only([](const PartialShape&) { return std::optional<ShapeFact>(); });
  builder.output("y: float").output("z: float").ignores_gradient("z");
  EXPECT(def.has(Trait::kRandom) && def.has(Trait::kShapeOnly) && !def.has(Trait::kConstant));
  EXPECT(def.ignored_gradients == std::vector<int>{1});
  EXPECT_EQ(trait_name(Trait::kConstant), "constant");
  EXPECT_EQ(trait_name(static_cast<Trait>(kTraits - 1)), "names_state");
  EXPECT(testing::aborts([] {
    OpDef other;
    OpDefBuilder(&other).output("y: float").ignores_gradient("z");
  }));
}

TINYTF_TEST(op_def_attrs_may_be_declared_before_or_after_their_use) {
  OpDef after, before;
  OpDefBuilder(&after).input("xs: Ts").output("ys: Ts").attr("Ts: list(type) >= 1");
  OpDefBuilder(&before).attr("Ts: list(type) >= 1").input("xs: Ts").output("ys: Ts");
  for (const OpDef& def : {after, before}) {
    for (const ArgDef& arg : {def.inputs[0], def.outputs[0]}) {
      EXPECT_EQ(arg.type_list_attr, "Ts");
      EXPECT_EQ(arg.type_attr, "");
      EXPECT(arg.is_list());
    }
  }
}

TINYTF_TEST(op_def_notation_knows_all_kinds_and_their_defaults) {
  OpDef def;
  OpDefBuilder(&def)
      .attr("n: numbertype")
      .attr("r: realnumbertype = DT_FLOAT")
      .attr("Ts: list({float, half}) = [DT_HALF, DT_FLOAT]")
      .attr("ss: list(string) = ['a', 'b']")
      .attr("bs: list(bool) = [true, false]")
      .attr("fs: list(float) = []")
      .attr("p: shape = [2, -1]")
      .attr("q: shape = {unknown_rank}")
      .attr("ps: list(shape) = []")
      .attr("v: tensor")
      .attr("f: func")
      .attr("e: string = ''")
      .attr("m: int = -3");
  EXPECT_EQ(def.find_attr("n")->allowed_types.size(), size_t{17});
  EXPECT_EQ(def.find_attr("r")->allowed_types.size(), size_t{12});
  EXPECT_EQ(def.find_attr("Ts")->allowed_types.size(), size_t{2});
  EXPECT(std::get<std::vector<DType>>(*def.find_attr("Ts")->default_value) ==
         (std::vector<DType>{DType::kHalf, DType::kFloat}));
  EXPECT_EQ(std::get<std::vector<std::string>>(*def.find_attr("ss")->default_value)[1], "b");
  EXPECT(std::get<std::vector<bool>>(*def.find_attr("bs")->default_value) == (std::vector<bool>{true, false}));
  EXPECT(std::get<std::vector<float>>(*def.find_attr("fs")->default_value).empty());
  EXPECT_EQ(std::get<PartialShape>(*def.find_attr("p")->default_value).to_string(), "[2,?]");
  EXPECT(!std::get<PartialShape>(*def.find_attr("q")->default_value).known_rank());
  EXPECT_EQ(def.find_attr("ps")->kind_text(), "list(shape)");
  EXPECT(def.find_attr("v")->kind == AttrKind::kTensor && def.find_attr("f")->kind == AttrKind::kFunc);
  EXPECT_EQ(std::get<std::string>(*def.find_attr("e")->default_value), "");
  EXPECT_EQ(std::get<int64_t>(*def.find_attr("m")->default_value), -3);
}

TINYTF_TEST(op_def_mistakes_in_the_notation_abort) {
  const auto attr = [](const char* text) {
    return testing::aborts([text] {
      OpDef def;
      OpDefBuilder(&def).attr(text);
    });
  };
  EXPECT(!attr("a: int = 1"));
  for (const char* text : {"a", "a:", ": int", "a: integer", "a: int = x", "a: int = 1 2", "T: {flaot}", "s: {'a",
                           "a: list(int", "T: type = DT_NOTHING", "v: tensor = 1", "p: shape = 3"}) {
    if (!attr(text)) testing::fail(__FILE__, __LINE__, str_cat("no abort: ", text));
  }
  const auto input = [](const char* text) {
    return testing::aborts([text] {
      OpDef def;
      OpDefBuilder(&def).input(text);
    });
  };
  EXPECT(!input("x: T"));
  for (const char* text : {"x", "x:", "x: Ref(T", "x: N * ", "x: float float", "x y: T"}) {
    if (!input(text)) testing::fail(__FILE__, __LINE__, str_cat("no abort: ", text));
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

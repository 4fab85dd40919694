#include "op/node_info.h"

#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

/// Completes a node of a custom op.
struct Fixture {
  OpDef op;
  NodeInfo node;

  Fixture() {
    op.name = "Op";
    node.name = "node";
    node.op = &op;
  }
  OpDefBuilder declare() { return OpDefBuilder(&op); }
  Fixture& inputs(std::vector<DType> types) {
    node.inputs.clear();
    for (DType type : types) node.inputs.push_back({type, false});
    return *this;
  }
  Status complete(const std::vector<int>& groups = {}) { return complete_node(node, groups); }
  std::string error(const std::vector<int>& groups = {}) { return complete(groups).message(); }
};

constexpr DType kFloat = DType::kFloat, kInt32 = DType::kInt32, kHalf = DType::kHalf;

TINYTF_TEST(node_types_are_inferred_from_inputs) {
  Fixture f;
  f.declare().input("x: T").input("y: T").output("z: T").output("n: int32").attr("T: {float, half}");
  EXPECT_OK(f.inputs({kHalf, kHalf}).complete());
  EXPECT_EQ(*f.node.attrs.get<DType>("T"), kHalf);
  EXPECT(f.node.outputs == (std::vector<ArgType>{{kHalf, false}, {kInt32, false}}));
}

TINYTF_TEST(node_lists_are_inferred_from_group_sizes) {
  Fixture f;
  f.declare().input("xs: N * T").input("ys: Ts").output("zs: N * T").output("ws: Ts").attr("N: int >= 1");
  f.declare().attr("T: type").attr("Ts: list(type) >= 1");
  EXPECT_OK(f.inputs({kHalf, kHalf, kFloat, kInt32}).complete({2, 2}));
  EXPECT_EQ(*f.node.attrs.get<int64_t>("N"), 2);
  EXPECT(*f.node.attrs.get<std::vector<DType>>("Ts") == (std::vector<DType>{kFloat, kInt32}));
  EXPECT_EQ(f.node.outputs.size(), size_t{4});
  EXPECT(f.node.outputs[3] == (ArgType{kInt32, false}));
}

TINYTF_TEST(node_lists_are_not_guessed) {
  Fixture f;
  f.declare().input("xs: N * float").attr("N: int");
  EXPECT_EQ(f.inputs({kFloat}).error(),
            "NodeDef missing attr 'N' from Op<name=Op; signature=xs:N*float -> ; attr=N:int>");
  Fixture g;
  g.declare().input("xs: Ts").attr("Ts: list(type)");
  EXPECT_EQ(g.inputs({kFloat}).error(),
            "NodeDef missing attr 'Ts' from Op<name=Op; signature=xs: -> ; attr=Ts:list(type)>");
}

TINYTF_TEST(node_attrs_get_their_defaults) {
  Fixture f;
  f.declare().attr("a: int = 3").attr("s: string = 'x'").attr("b: bool = true").attr("must: int");
  EXPECT_EQ(
      f.error(),
      "NodeDef missing attr 'must' from Op<name=Op; signature= -> ; attr=a:int,default=3; attr=s:string,default=\"x\"; "
      "attr=b:bool,default=true; attr=must:int>; NodeDef: {{node node}}");
  Fixture g;
  g.declare().attr("a: int = 3").attr("s: string = 'x'");
  g.node.attrs.set("s", std::string("y"));
  EXPECT_OK(g.complete());
  EXPECT_EQ(*g.node.attrs.get<int64_t>("a"), 3);
  EXPECT_EQ(*g.node.attrs.get<std::string>("s"), "y");
}

TINYTF_TEST(node_attrs_are_checked) {
  const auto error = [](const char* declaration, const char* name, AttrValue value) {
    Fixture f;
    f.declare().attr(declaration);
    f.node.attrs.set(name, std::move(value));
    return f.error();
  };
  EXPECT_EQ(error("n: int >= 2", "n", int64_t{1}),
            "Value for attr 'n' of 1 must be at least minimum 2\n\t; NodeDef: {{node node}}; "
            "Op<name=Op; signature= -> ; attr=n:int,min=2>");
  EXPECT_EQ(error("l: list(int) >= 2", "l", std::vector<int64_t>{7}),
            "Length for attr 'l' of 1 must be at least minimum 2\n\t; NodeDef: {{node node}}; "
            "Op<name=Op; signature= -> ; attr=l:list(int),min=2>");
  EXPECT_EQ(error("l: list(string) >= 1", "l", std::vector<std::string>()),
            "Length for attr 'l' of 0 must be at least minimum 1\n\t; NodeDef: {{node node}}; "
            "Op<name=Op; signature= -> ; attr=l:list(string),min=1>");
  EXPECT_EQ(error("T: {float, half}", "T", kInt32),
            "Value for attr 'T' of int32 is not in the list of allowed values: float, half\n\t; NodeDef: {{node "
            "node}}; Op<name=Op; signature= -> ; attr=T:type,allowed=[DT_FLOAT, DT_HALF]>");
  EXPECT(!error("Ts: list({float, half})", "Ts", std::vector<DType>{kFloat, kInt32}).empty());
  EXPECT_EQ(error("s: {'SAME', 'VALID'}", "s", std::string("same")),
            "Value for attr 's' of \"same\" is not in the list of allowed values: \"SAME\", \"VALID\"\n\t; NodeDef: "
            "{{node node}}; Op<name=Op; signature= -> ; attr=s:string,allowed=[\"SAME\", \"VALID\"]>");
  EXPECT(error("n: int", "n", 1.0f).find("a type other than 'int' for attr 'n'") != std::string::npos);
  EXPECT(error("n: list(int)", "n", int64_t{1}).find("'list(int)'") != std::string::npos);
  EXPECT_EQ(
      error("n: int = 1", "m", int64_t{1}),
      "NodeDef mentions attr 'm' not in Op<name=Op; signature= -> ; attr=n:int,default=1>; NodeDef: {{node node}}");
  EXPECT_EQ(error("n: int = 1", "_class", std::vector<std::string>{"loc:@v"}), "");  // any op may have private attrs
}

TINYTF_TEST(node_attrs_of_every_kind_pass) {
  Fixture f;
  f.declare().attr("s: string").attr("i: int").attr("f: float").attr("b: bool").attr("t: type").attr("p: shape");
  f.declare().attr("v: tensor").attr("g: func").attr("ss: list(string)").attr("is: list(int)").attr("fs: list(float)");
  f.declare().attr("bs: list(bool)").attr("ts: list(type)").attr("ps: list(shape)").attr("vs: list(tensor)");
  f.declare().attr("gs: list(func)");
  AttrMap& attrs = f.node.attrs;
  attrs.set("s", std::string()), attrs.set("i", int64_t{}), attrs.set("f", 0.0f), attrs.set("b", false);
  attrs.set("t", kFloat), attrs.set("p", PartialShape()), attrs.set("v", Tensor()), attrs.set("g", FuncRef());
  attrs.set("ss", std::vector<std::string>()), attrs.set("is", std::vector<int64_t>());
  attrs.set("fs", std::vector<float>()), attrs.set("bs", std::vector<bool>());
  attrs.set("ts", std::vector<DType>()), attrs.set("ps", std::vector<PartialShape>());
  attrs.set("vs", std::vector<Tensor>()), attrs.set("gs", std::vector<FuncRef>());
  EXPECT_OK(f.complete());
}

TINYTF_TEST(node_inputs_are_checked) {
  Fixture f;
  f.declare().input("x: T").input("y: T").input("i: int32").attr("T: type");
  EXPECT_EQ(f.inputs({kFloat, kHalf, kInt32}).error(),
            "Input 1 of node node was passed half incompatible with expected float.");
  f.node.attrs.erase("T");
  EXPECT_EQ(f.inputs({kFloat, kFloat}).error(), "Not enough inputs for node node: Op<name=Op> takes more than 2");
  EXPECT_EQ(f.inputs({kFloat, kFloat, kInt32, kInt32}).error(),
            "NodeDef expected inputs '3' do not match 4 inputs specified; Op<name=Op; signature=x:T, y:T, i:int32 -> ; "
            "attr=T:type>; NodeDef: {{node node}}");
}

TINYTF_TEST(node_with_an_absurd_list_length_is_refused) {
  const auto error = [](const char* attr, int64_t n) {
    Fixture f;
    f.declare().input("axis: int32").input("xs: N * float").attr(attr);
    f.node.attrs.set("N", n);
    return f.inputs({kInt32, kFloat, kFloat}).error();
  };
  EXPECT_EQ(error("N: int >= 1", -1),
            "Value for attr 'N' of -1 must be at least minimum 1\n\t; NodeDef: {{node node}}; "
            "Op<name=Op; signature=axis:int32, xs:N*float -> ; attr=N:int,min=1>");
  for (const int64_t n : {int64_t{-1}, int64_t{-3}, int64_t{1} << 62}) {
    EXPECT_EQ(error("N: int", n), "Not enough inputs for node node: Op<name=Op> takes more than 3");
  }
}

TINYTF_TEST(node_references_serve_as_values_but_not_the_other_way) {
  Fixture f;
  f.declare().input("v: Ref(T)").input("x: T").output("out: Ref(T)").attr("T: type");
  f.node.inputs = {{kFloat, true}, {kFloat, true}};
  EXPECT_OK(f.complete());
  EXPECT(f.node.outputs == (std::vector<ArgType>{{kFloat, true}}));
  Fixture g;
  g.declare().input("v: Ref(T)").attr("T: type");
  EXPECT_EQ(g.inputs({kFloat}).error(), "Input 0 of node node was passed float incompatible with expected float_ref.");
}

TINYTF_TEST(node_tells_references_that_are_taken_as_such) {
  Fixture f;
  f.declare().input("v: Ref(T)").input("x: T").attr("T: type");
  f.node.inputs = {{kFloat, true}, {kFloat, true}};
  EXPECT_OK(f.complete());
  EXPECT(takes_reference(f.node, 0));
  EXPECT(!takes_reference(f.node, 1));
  Fixture list;
  list.declare().input("xs: N * T").input("v: Ref(T)").attr("N: int").attr("T: type");
  list.node.attrs.set("N", int64_t{2});
  list.node.inputs = {{kFloat, true}, {kFloat, false}, {kFloat, true}};
  EXPECT_OK(list.complete());
  EXPECT(!takes_reference(list.node, 0) && !takes_reference(list.node, 1) && takes_reference(list.node, 2));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "graph/import_attrs.h"

#include "graph/attr_proto.h"
#include "op/op_registry.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using std::string_literals::operator""s;

std::string written(const AttrValue& value) {
  std::string out;
  WireWriter to(&out);
  EXPECT_OK(write_attr(to, value));
  return out;
}

/// A node definition that owns its attrs.
struct Definition {
  explicit Definition(std::vector<std::pair<std::string, AttrValue>> attrs) {
    for (auto& [name, value] : attrs) add(name, written(value));
  }
  Definition& add(const std::string& name, const std::string& value) {
    kept.push_back(name);
    const std::string_view key = kept.back();
    kept.push_back(value);
    view.attrs.push_back({key, kept.back()});
    return *this;
  }
  NodeDefView view;
  std::deque<std::string> kept;
};

Result<ImportedAttrs> read(const char* op, const Definition& node, int32_t producer = 134) {
  const auto refuse = [](const OpDef& def, std::string_view attr, std::string_view value, const std::string& name) {
    return invalid_argument(def.name, " ", attr, " ", value.size(), " ", name);
  };
  return AttrImporter(producer, refuse).read(*OpRegistry::global().find(op), node.view, "n", nullptr);
}

std::string error(const char* op, const Definition& node) { return read(op, node).status().message(); }

TINYTF_TEST(imported_attrs_are_those_that_are_given) {
  auto found = read("MatMul", Definition({{"transpose_b", true}, {"T", DType::kFloat}, {"_x", DType::kInvalid}}));
  EXPECT_OK(found.status());
  EXPECT_EQ(found.value().attrs.size(), 3u);
  EXPECT_EQ(attr_to_string(*found.value().attrs.find("T")), "DT_FLOAT");
  EXPECT(!found.value().output_shapes);
}

TINYTF_TEST(imported_attrs_must_be_complete) {
  EXPECT_EQ(error("VariableV2", Definition({})),
            "NodeDef missing attrs 'dtype', 'shape' from Op<name=VariableV2; signature= -> ref:Ref(dtype); "
            "attr=shape:shape; attr=dtype:type; attr=container:string,default=\"\"; "
            "attr=shared_name:string,default=\"\"; is_stateful=true>; NodeDef: {{node n}}");
  EXPECT_EQ(error("Placeholder", Definition({})).substr(0, 28), "NodeDef missing attr 'dtype'");
}

TINYTF_TEST(imported_attrs_must_be_of_the_kind_that_is_declared) {
  const std::string where = "\n\t for attr '_class'\n\t; NodeDef: {{node n}}; Op<name=NoOp; signature= -> >";
  EXPECT_EQ(error("NoOp", Definition({{"_class", int64_t{3}}})),
            "AttrValue had value with type 'int' when 'list(string)' expected" + where);
  EXPECT_EQ(error("NoOp", Definition({{"_class", std::vector<int64_t>{3}}})),
            "AttrValue had value with type 'list(int)' when 'list(string)' expected" + where);
  EXPECT_EQ(error("NoOp", Definition({{"_class", AttrValue()}})),
            "AttrValue missing value with expected type 'list(string)'" + where);
  EXPECT_EQ(error("Placeholder", Definition({}).add("dtype", "\x4A\x01T")).substr(0, 68),
            "AttrValue had value with type 'placeholder' when 'type' expected\n\t f");
  auto empty = read("NoOp", Definition({{"_class", std::vector<float>()}}));
  EXPECT(empty.ok() && empty.value().attrs.get<std::vector<std::string>>("_class") != nullptr);
}

TINYTF_TEST(imported_attrs_must_make_sense) {
  EXPECT_EQ(error("Placeholder", Definition({{"dtype", DType::kInvalid}})),
            "Node 'n': attr 'dtype' has a value that Placeholder cannot take: Cannot convert value 0 to a TensorFlow "
            "DType.; NodeDef: {{node n}}");
  EXPECT_EQ(error("NoOp", Definition({{"_class", std::vector<std::string>{"loc:@\xFF"}}})),
            "Node 'n': attr '_class' has a value that NoOp cannot take: it is not UTF-8; NodeDef: {{node n}}");
  EXPECT_EQ(error("NoOp", Definition({}).add("_x", "\x18")),
            "Node 'n': attr '_x' has a value that NoOp cannot take: the AttrValue is damaged; NodeDef: {{node n}}");
}

TINYTF_TEST(imported_attrs_that_are_not_declared_are_asked_for_once) {
  EXPECT_EQ(error("NoOp", Definition({{"zork", int64_t{3}}})), "NoOp zork 2 n");
  int asked = 0;
  AttrImporter importer(134, [&](const OpDef&, std::string_view, std::string_view, const std::string&) {
    ++asked;
    return Status();
  });
  const OpDef& op = *OpRegistry::global().find("NoOp");
  for (int round = 0; round < 3; ++round) {
    for (const int64_t value : {3, 4})
      EXPECT_OK(importer.read(op, Definition({{"zork", value}}).view, "n", nullptr).status());
  }
  EXPECT_EQ(asked, 2);
}

TINYTF_TEST(imported_shapes_are_no_attrs) {
  auto found = read("NoOp", Definition({{"_output_shapes", std::vector<PartialShape>{PartialShape({5})}}}));
  EXPECT_OK(found.status());
  EXPECT_EQ(found.value().attrs.size(), 0u);
  EXPECT(found.value().output_shapes == std::vector<PartialShape>{PartialShape({5})});
}

TINYTF_TEST(imported_placeholders_of_old_producers_have_any_shape) {
  const Definition node({{"dtype", DType::kFloat}, {"shape", PartialShape::scalar()}});
  for (const int32_t producer : {21, 22}) {
    auto found = read("Placeholder", node, producer);
    EXPECT_OK(found.status());
    EXPECT_EQ(found.value().attrs.get<PartialShape>("shape")->known_rank(), producer == 22);
  }
}

TINYTF_TEST(import_takes_a_value_that_stands_beside_the_node) {
  const Definition node({{"dtype", DType::kFloat}});
  EXPECT_EQ(error("Const", node).substr(0, 28), "NodeDef missing attr 'value'");
  const AttrValue value = testing::floats({1, 2});
  const auto attrs = AttrImporter(134, nullptr).read(*OpRegistry::global().find("Const"), node.view, "n", &value);
  EXPECT_OK(attrs.status());
  EXPECT(attrs.value().attrs.get<Tensor>("value")->raw() == std::get<Tensor>(value).raw());
}

TINYTF_TEST(import_keeps_the_attrs_of_unknown_ops_as_they_are_written) {
  const Definition node({{"size", int64_t{3}}, {"_class", std::vector<std::string>{"loc:@a"}}});
  const auto attrs = AttrImporter::read_unknown(node.view, "n");
  EXPECT_OK(attrs.status());
  EXPECT_EQ(attrs.value().written.size(), 1u);
  EXPECT_EQ(attrs.value().written.at("size"), std::string("\x18\x03"));
  EXPECT_EQ(*attrs.value().attrs.get<int64_t>("size"), 3);
  EXPECT_EQ(attrs.value().attrs.size(), 2u);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

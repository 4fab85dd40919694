#include "graph/import_graph_def.h"

#include <random>

#include "graph/attr_proto.h"
#include "graph/unknown_op.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/in_child.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::floats;
using testing::GraphFixture;

/// Builds a GraphDef node by node.
class Definition {
 public:
  using Attrs = std::vector<std::pair<std::string, AttrValue>>;

  Definition& node(std::string_view name, std::string_view op, const std::vector<std::string>& inputs = {},
                   const Attrs& attrs = {}, std::string_view device = "") {
    WireWriter to(&bytes_);
    to.nested(1, [&] {
      to.bytes(1, name);
      to.bytes(2, op);
      for (const std::string& input : inputs) to.bytes(3, input);
      to.bytes(4, device);
      for (const auto& [key, value] : attrs) {
        to.nested(5, [&, &key = key, &value = value] {
          to.bytes(1, key);
          to.nested(2, [&] { EXPECT_OK(write_attr(to, value)); });
        });
      }
    });
    return *this;
  }
  Definition& placeholder(std::string_view name, DType dtype = DType::kFloat) {
    return node(name, "Placeholder", {}, {{"dtype", dtype}});
  }
  Definition& identity(std::string_view name, const std::string& input, Attrs attrs = {}) {
    attrs.emplace_back("T", DType::kFloat);
    return node(name, "Identity", {input}, attrs);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

Status refuse(const OpDef&, std::string_view attr, std::string_view, const std::string& node) {
  return invalid_argument("no ", attr, " in ", node);
}

ImportOptions under(std::string prefix) {
  ImportOptions options;
  options.is_prefix_new = !prefix.empty();
  options.prefix = std::move(prefix);
  options.producer = 134;
  options.undeclared = refuse;
  return options;
}

Result<std::vector<ImportedNode>> import_bytes(Graph& graph, std::string_view bytes, const ImportOptions& options) {
  TINYTF_ASSIGN_OR_RETURN(const GraphDefView graph_def, read_graph_def(bytes));
  return import_graph_def(graph, graph_def, options);
}

Status import(GraphFixture& g, const Definition& definition, const ImportOptions& options = under("in/")) {
  return import_bytes(*g, definition.bytes(), options).status();
}

std::string error(const Definition& definition) {
  GraphFixture g;
  const Status status = import(g, definition);
  EXPECT_EQ(g->last_id(), 0);
  return status.message();
}

std::string names(const Graph& graph) {
  return str_join(graph.nodes(), " ", [](const Node* node) { return node->name(); });
}

TINYTF_TEST(import_adds_sources_first_and_keeps_the_order_else) {
  GraphFixture g;
  const Definition d =
      Definition().identity("b", "a").placeholder("a").node("d", "NoOp", {"^b", "^a", "^b"}).placeholder("c");
  EXPECT_OK(import(g, d));
  EXPECT_EQ(names(*g), "in/a in/b in/d in/c");
  EXPECT_EQ(g->find("in/d")->control_inputs.size(), 2u);
  EXPECT(g->find("in/b")->inputs[0] == (Endpoint{g->find("in/a"), 0}));
}

TINYTF_TEST(import_is_the_inverse_of_export) {
  GraphFixture g;
  Node* x = g.placeholder("x", {2, kUnknownDim});
  Node* axis = g.constant("axis", testing::tensor<int32_t>({}, {1}));
  Node* parts = g.add("Split", "parts", {{axis, 0}, {x, 0}}, {{"num_split", int64_t{2}}});
  Node* joined = g.add_list("AddN", "joined", {{parts, 1}, {parts, 0}});
  g->add_control_input(joined, x);
  g->set_device(joined, "/device:CPU:0");
  auto bytes = graph_def_of(*g, {0, true, 134, 0});
  EXPECT_OK(bytes.status());
  GraphFixture again;
  EXPECT_OK(import_bytes(*again, bytes.value(), under("")).status());
  auto bytes_again = graph_def_of(*again, {0, true, 134, 0});
  EXPECT_EQ(bytes_again.value(), bytes.value());
}

TINYTF_TEST(import_without_a_prefix_of_its_own_makes_names_unique) {
  GraphFixture g;
  g.placeholder("a");
  g.placeholder("s/x");
  const Definition d = Definition().placeholder("a").placeholder("s").identity("a_1", "a");
  EXPECT_OK(import(g, d, under("")));
  EXPECT_EQ(names(*g), "a s/x a_2 s_1 a_1");
  EXPECT_EQ(g->unique_name("a_2", true), "a_2_1");  // the name is reserved
  EXPECT_EQ(g->unique_name("A_1", true), "A_1_1");
}

TINYTF_TEST(import_takes_others_for_what_is_mapped) {
  GraphFixture g;
  Node* other = g.placeholder("other");
  Node* wait = g.placeholder("wait");
  ImportOptions options = under("in/");
  options.input_map = {{"a", 0, {other, 0}}, {"c", -1, {wait, 0}}, {"missing", 3, {other, 0}}};
  const Definition d = Definition().placeholder("a").node("b", "Identity", {"a", "^c", "^a"}, {{"T", DType::kFloat}});
  EXPECT_EQ(import(g, d, options).message(), "Attempted to map inputs that were not found in graph_def: [missing:3]");
  EXPECT_EQ(g->last_id(), 2);
  options.input_map.pop_back();
  EXPECT_OK(import(g, d, options));
  Node* b = g->find("in/b");
  EXPECT(b->inputs[0].node == other);
  EXPECT(b->control_inputs == (std::vector<Node*>{wait, g->find("in/a")}));
}

TINYTF_TEST(import_renames_groups_and_says_who_goes_where) {
  GraphFixture g;
  const Definition d = Definition()
                           .node("v", "NoOp", {}, {{"_class", std::vector<std::string>{"loc:@v", "x"}}}, "/cpu:0")
                           .node("w", "NoOp", {}, {{"_class", std::vector<std::string>{"loc:@v"}}}, "/cpu:0");
  ImportOptions options = under("in/");
  options.device = [](std::string_view text) { return str_cat("/device", text); };
  auto nodes = import_bytes(*g, d.bytes(), options);
  EXPECT_OK(nodes.status());
  EXPECT(!nodes.value()[0].is_colocated && nodes.value()[1].is_colocated);
  EXPECT_EQ(nodes.value()[1].device, "/cpu:0");
  EXPECT_EQ(g->find("in/v")->info->device, "/device/cpu:0");
  EXPECT_EQ(g->find("in/w")->info->device, "");
  EXPECT_EQ(attr_to_string(*g->find("in/v")->info->attrs.find("_class")), "[\"loc:@in/v\", \"x\"]");
  EXPECT_EQ(attr_to_string(*g->find("in/w")->info->attrs.find("_class")), "[\"loc:@in/v\"]");
  options.device = [](std::string_view) { return invalid_argument("no such device"); };
  EXPECT_EQ(import(g, d, options).message(), "no such device");
}

TINYTF_TEST(import_says_what_is_wrong_and_adds_nothing) {
  EXPECT_EQ(error(Definition().placeholder("a b")), "Node 'a b': Node name contains invalid characters");
  EXPECT_EQ(error(Definition().placeholder("a").placeholder("a")), "Node 'a' is not unique");
  for (const char* input : {"x", "a:x", "^x", "a:", ":", "a:0:0"}) {
    EXPECT_EQ(error(Definition().placeholder("a").identity("b", input)),
              str_cat("Node 'b': Unknown input node '", input, "'"));
  }
  EXPECT_EQ(error(Definition().placeholder("a").identity("b", "a:99999999999999999999")),
            "Node 'b': Connecting to invalid output 9223372036854775807 of source node a which has 1 outputs.");
  EXPECT_EQ(error(Definition().placeholder("a").identity("b", "c").identity("c", "b")), "2 nodes in a cycle");
  EXPECT_EQ(error(Definition().placeholder("a", DType::kInt32).identity("b", "a")),
            "Input 0 of node in/b was passed int32 from in/a:0 incompatible with expected float.");
  EXPECT_EQ(error(Definition().placeholder("a").node("b", "NoOp", {"a"})),
            "NodeDef expected inputs '' do not match 1 inputs specified; Op<name=NoOp; signature= -> >; NodeDef: "
            "{{node in/b}}");
}

TINYTF_TEST(import_does_not_know_internal_ops) {
  EXPECT(testing::holds_in_child([] {
    const_cast<OpRegistry&>(OpRegistry::global()).op("_Hidden").output("y: float").internal();
    GraphFixture kept, refused;
    const Definition d = Definition().node("y", "_Hidden");
    ImportOptions strict = under("in/");
    strict.is_strict = true;
    return import(kept, d).ok() && is_unknown_op(*kept->find("in/y")->info->op) &&
           import(refused, d, strict).message().find("Op type not registered '_Hidden'") == 0;
  }));
}

TINYTF_TEST(import_keeps_nodes_of_unknown_ops_unless_it_is_strict) {
  const Definition d = Definition()
                           .node("b", "Nonsense", {}, {{"size", int64_t{3}}})
                           .identity("c", "b:1")
                           .node("d", "Nonsense", {"c", "b"}, {{"_output_shapes", std::vector<PartialShape>(1)}});
  GraphFixture g;
  ImportOptions options = under("in/");
  options.is_strict = true;
  EXPECT_EQ(import(g, d, options).message().substr(0, 55), "Op type not registered 'Nonsense' in binary running on ");
  EXPECT_EQ(g->last_id(), 0);
  EXPECT_OK(import(g, d));
  EXPECT_EQ(names(*g), "in/b in/c in/d");
  EXPECT_EQ(g->find("in/b")->num_outputs(), 2);
  EXPECT(g->find("in/b")->info->outputs[1] == (ArgType{DType::kFloat, false}));
  EXPECT_EQ(g->find("in/d")->num_outputs(), 1);
  auto bytes = graph_def_of(*g, {0, false, 134, 0});
  EXPECT_OK(bytes.status());
  GraphFixture again;
  EXPECT_OK(import_bytes(*again, bytes.value(), under("")).status());
  EXPECT_EQ(graph_def_of(*again, {0, false, 134, 0}).value(), bytes.value());
}

TINYTF_TEST(import_refuses_outputs_that_no_node_can_have) {
  EXPECT_EQ(error(Definition().node("b", "Nonsense").identity("c", "b:262144")),
            "Node 'c': Connecting to invalid output 262144 of source node b: a node has at most 262144 outputs");
}

TINYTF_TEST(import_does_not_wait_for_what_closes_a_loop) {
  const auto loop = [](const char* merge, const char* back) {
    return Definition().placeholder("e").node("m", merge, {"e", "n"}).node("n", back, {"m"});
  };
  const std::string lacks = "NodeDef missing attrs";  // the error of the node itself, reached despite the cycle
  EXPECT_EQ(error(loop("Merge", "NextIteration")).substr(0, lacks.size()), lacks);
  EXPECT_EQ(error(loop("AddN", "NextIteration")), "2 nodes in a cycle");
  EXPECT_EQ(error(loop("Merge", "Identity")), "2 nodes in a cycle");
}

TINYTF_TEST(import_counts_inputs_before_it_makes_lists) {
  for (const int64_t count : {int64_t{1} << 40, int64_t{-1}, int64_t{0}}) {
    const std::string text =
        error(Definition().placeholder("a").node("b", "Pack", {"a"}, {{"T", DType::kFloat}, {"N", count}}));
    EXPECT(!text.empty() && text.size() < 1500);
  }
}

TINYTF_TEST(import_reports_the_first_error_in_the_order_of_adding) {
  const Definition d =
      Definition().identity("b", "a", {{"zork", true}}).placeholder("a").node("c", "MatMul", {"a", "a:1"});
  EXPECT_EQ(error(d), "no zork in in/b");
  const Definition e = Definition().placeholder("a").identity("b", "a:1").identity("c", "a", {{"zork", true}});
  EXPECT_EQ(error(e), "Node 'b': Connecting to invalid output 1 of source node a which has 1 outputs.");
}

/// Damages a message: flipped bits, truncation, repetition, edge-case numbers.
std::string damaged(std::mt19937_64& random, std::string bytes) {
  const auto place = [&] { return static_cast<size_t>(random() % bytes.size()); };
  for (uint64_t changes = random() % 4 + 1; changes > 0 && !bytes.empty(); --changes) {
    switch (random() % 6) {
      case 0: bytes[place()] ^= static_cast<char>(1 << random() % 8); break;
      case 1: bytes[place()] = static_cast<char>(random()); break;
      case 2: bytes.resize(place()); break;
      case 3: bytes.erase(place(), random() % 9 + 1); break;
      case 4: bytes.insert(place(), bytes.substr(place(), random() % 40)); break;
      default: bytes.replace(place(), 1, "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"); break;
    }
  }
  return bytes;
}

TINYTF_TEST(import_of_damaged_bytes_fails_or_can_be_exported) {
  GraphFixture whole;
  Node* x = whole.placeholder("x", {2, 2});
  Node* c = whole.constant("c", floats({1, 2, 3}));
  Node* text = whole.constant("text", testing::tensor<std::string>({2}, {"a", "bc"}));
  whole->set_attr(text, "_odd", std::vector<FuncRef>{{"f", {{"T", "\x30\x01"}}}});
  whole->set_attr(text, "_even", std::vector<PartialShape>{{}, PartialShape({3, kUnknownDim})});
  Node* product = whole.add("MatMul", "product", {{x, 0}, {x, 0}}, {{"transpose_a", true}}, {c, text});
  whole->set_attr(product, "_class", std::vector<std::string>{"loc:@x"});
  whole.add_list("AddN", "sum", {{product, 0}, {x, 0}, {product, 0}});
  auto bytes = graph_def_of(*whole, {0, true, 134, 0});
  EXPECT_OK(bytes.status());
  std::mt19937_64 random(20261125);
  int imported = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::string changed = damaged(random, bytes.value());
    GraphFixture g;
    ImportOptions options = under("in/");
    options.undeclared = [](const OpDef&, std::string_view, std::string_view, const std::string&) { return Status(); };
    const auto nodes = import_bytes(*g, changed, options);
    if (!nodes.ok()) {
      EXPECT_EQ(g->last_id(), 0);
      continue;
    }
    ++imported;
    auto once = graph_def_of(*g, {0, true, 134, 0});
    EXPECT_OK(once.status());
    GraphFixture again;
    EXPECT_OK(import_bytes(*again, once.value(), under("")).status());
    auto twice = graph_def_of(*again, {0, true, 134, 0});
    EXPECT(twice.ok() && twice.value() == once.value());
  }
  EXPECT(imported > 500 && imported < 19500);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

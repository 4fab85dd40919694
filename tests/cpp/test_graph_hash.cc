#include "io/graph_hash.h"

#include <string>
#include <utility>
#include <vector>

#include "io/wire.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using Attrs = std::vector<std::pair<std::string, std::string>>;

std::string message(const std::vector<std::pair<uint32_t, std::string>>& fields) {
  std::string bytes;
  WireWriter to(&bytes);
  for (const auto& [field, value] : fields) to.bytes(field, value);
  return bytes;
}

std::string node(const std::string& name, const std::string& op, const std::vector<std::string>& inputs = {},
                 const Attrs& attrs = {}) {
  std::vector<std::pair<uint32_t, std::string>> fields{{1, name}, {2, op}};
  for (const std::string& input : inputs) fields.emplace_back(3, input);
  for (const auto& [key, value] : attrs) fields.emplace_back(5, message({{1, key}, {2, value}}));
  return message(fields);
}

std::string graph(const std::vector<std::string>& nodes, const std::vector<std::string>& functions = {}) {
  std::vector<std::pair<uint32_t, std::string>> fields, library;
  for (const std::string& each : nodes) fields.emplace_back(1, each);
  for (const std::string& each : functions) library.emplace_back(1, each);
  fields.emplace_back(2, message(library));
  return message(fields);
}

std::string constant(const std::string& name, char value) {
  return node(name, "Const", {},
              {{"dtype", "\x30\x09"}, {"value", std::string("\x42\x07\x08\x09\x12\0\x52\x01", 8) + value}});
}

/// The graph of tf.data.Dataset.range(stop).
std::string range(char stop, const std::string& prefix = "") {
  const Attrs spec = {{"output_shapes", std::string("\x0a\x02\x3a\0", 4)}, {"output_types", "\x0a\x03\x32\x01\x09"}};
  return graph(
      {constant(prefix + "start", 0), constant(prefix + "stop", stop), constant(prefix + "step", 1),
       node(prefix + "range", "RangeDataset", {prefix + "start", prefix + "stop", prefix + "step"}, spec),
       node("dataset", "_Retval", {prefix + "range"}, {{"T", "\x30\x15"}, {"index", std::string("\x18\0", 2)}})});
}

/// A function x -> op(x, y) whose node y has an attr.
std::string function(const std::string& name, const std::string& op, const std::string& attr = "",
                     const std::string& node_name = "node", const std::string& callee = "") {
  const std::string argument = message({{1, name + "_x"}});
  const Attrs attrs =
      callee.empty() ? Attrs{{"a", message({{2, attr}})}} : Attrs{{"f", message({{10, message({{1, callee}})}})}};
  return message({{1, message({{1, name}, {2, argument}, {3, message({{1, "out"}})}})},
                  {3, node(node_name + "_y", "Const", {}, attrs)},
                  {3, node(node_name, op, {name + "_x", node_name + "_y:output:0"})},
                  {4, message({{1, "out"}, {2, node_name + ":z:0"}})}});
}

std::string call(const std::string& name, const std::string& callee, const std::string& input) {
  return node(name, "MapDataset", {input}, {{"f", message({{10, message({{1, callee}})}})}});
}

uint64_t hash_of(const std::string& bytes) { return graph_hash(bytes).take(); }

TINYTF_TEST(murmur_hashes) {
  EXPECT_EQ(murmur_hash(""), murmur_hash(""));
  EXPECT(murmur_hash("12345678") != murmur_hash("123456789"));
  EXPECT(murmur_hash("a", 1) != murmur_hash("a", 2));
}

TINYTF_TEST(hashes_of_graphs_are_tensorflows) {
  EXPECT_EQ(hash_of(range(3)), 0x49a742b6fd6b0a94u);
  EXPECT_EQ(hash_of(range(8)), 0xcf6edeb1c46ca5ecu);
  EXPECT_EQ(hash_of(range(3, "other/")), hash_of(range(3)));
}

TINYTF_TEST(hashes_of_graphs_have_the_bodies_of_functions_not_their_names) {
  const auto mapped = [](const std::string& name, const std::string& body) {
    return hash_of(graph({node("input", "Source"), call("map", name, "input"), node("dataset", "_Retval", {"map"})},
                         {function("unused", "Mul"), body}));
  };
  const uint64_t hash = mapped("f", function("f", "Add", "1"));
  EXPECT_EQ(mapped("g", function("g", "Add", "1")), hash);
  EXPECT_EQ(mapped("f", function("f", "Add", "1", "other")), hash);
  EXPECT(mapped("f", function("f", "Sub", "1")) != hash);
  EXPECT(mapped("f", function("f", "Add", "2")) != hash);
  EXPECT(mapped("f", function("g", "Add", "1")) != hash);  // Not there.
}

TINYTF_TEST(hashes_of_graphs_tell_functions_with_nodes_of_equal_names_apart) {
  const auto mapped = [](const std::string& first, const std::string& second) {
    return hash_of(graph({node("input", "Source"), call("one", "f", "input"), call("two", "g", "one"),
                          node("dataset", "_Retval", {"two"})},
                         {function("f", "Add", first), function("g", "Add", second)}));
  };
  EXPECT(mapped("1", "2") != mapped("1", "5"));
  EXPECT(mapped("1", "2") != mapped("2", "1"));
}

TINYTF_TEST(hashes_of_graphs_with_loops_and_control_inputs) {
  const auto looped = [](const std::string& op) {
    return hash_of(
        graph({node("merge", "Merge", {"enter", "next"}), node("enter", "Enter", {"^start"}), node("start", "NoOp"),
               node("next", op, {"merge:1"}), node("dataset", "_Retval", {"next", "^start"})}));
  };
  EXPECT_EQ(looped("NextIteration"), looped("NextIteration"));
  EXPECT(looped("NextIteration") != looped("Other"));
}

TINYTF_TEST(hashes_of_graphs_of_long_chains) {
  std::vector<std::string> nodes{node("n0", "Source")};
  for (int i = 1; i < 100'000; ++i) {
    nodes.push_back(node("n" + std::to_string(i), "Pass", {"n" + std::to_string(i - 1)}));
  }
  nodes.push_back(node("dataset", "_Retval", {"n99999"}));
  EXPECT(graph_hash(graph(nodes)).ok());
  std::vector<std::string> functions{function("f0", "Add")};
  for (int i = 1; i < 1000; ++i) {
    functions.push_back(function("f" + std::to_string(i), "Add", "", "node", "f" + std::to_string(i - 1)));
  }
  const auto calls = [&](const std::string& callee) {
    return graph_hash(
        graph({node("input", "Source"), call("map", callee, "input"), node("dataset", "_Retval", {"map"})}, functions));
  };
  EXPECT(calls("f50").ok());
  EXPECT_EQ(calls("f999").status().code(), Code::kInvalidArgument);
  functions = {function("f", "Add", "", "node", "f")};  // Calls itself.
  EXPECT(calls("f").ok());
}

TINYTF_TEST(hashes_of_graphs_that_are_none) {
  const std::string whole = range(3);
  for (size_t size = 0; size + 2 < whole.size(); ++size) {  // The last two bytes are an empty library.
    const auto hash = graph_hash(whole.substr(0, size));
    EXPECT(!hash.ok() && hash.status().code() == Code::kInvalidArgument);
  }
  EXPECT_EQ(graph_hash(graph({node("dataset", "_Retval", {"missing"})})).status().message(),
            "The graph has no node missing");
  EXPECT(!graph_hash(graph({node("dataset", "_Retval", {""})})).ok());
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

#include "graph/function_library.h"

#include <functional>
#include <random>

#include "graph/function_def_of.h"
#include "graph/graph.h"
#include "graph/op_def_proto.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using std::string_literals::operator""s;

std::string message(const std::function<void(WireWriter&)>& write) {
  std::string out;
  WireWriter to(&out);
  write(to);
  return out;
}

void write_entry(WireWriter& to, uint32_t field, std::string_view key, std::string_view value) {
  to.nested(field, [&] {
    to.bytes(1, key);
    to.bytes(2, value);
  });
}

void write_node(WireWriter& to, std::string_view name, std::string_view input) {
  to.nested(3, [&] {
    to.bytes(1, name);
    to.bytes(2, "Mul");
    to.bytes(3, input);
    to.bytes(3, "^x");
    write_entry(to, 5, "T", "\x4A\x01T");  // an attr placeholder
  });
}

OpDef signature(const std::string& name) {
  OpDef op;
  op.name = name;
  OpDefBuilder(&op).input("x: T").output("y: T").attr("T: {float, double} = DT_FLOAT");
  return op;
}

/// A function of two nodes; `order` determines which comes first.
std::string function(const std::string& name, bool order = true, std::string_view result = "b:z:0") {
  return message([&](WireWriter& to) {
    to.nested(1, [&] { EXPECT_OK(write_op_def(to, signature(name))); });
    write_node(to, order ? "a" : "b", order ? "x" : "a:z:0");
    write_node(to, order ? "b" : "a", order ? "a:z:0" : "x");
    write_entry(to, 4, "y", result);
    write_entry(to, 5, "_noinline", "\x28\x01");
    write_entry(to, 6, "done", "a");
    to.nested(7, [&] {
      to.varint(1, 3);
      to.nested(2, [&] { write_entry(to, 1, "_user", "\x18\x07"); });
    });
    to.varint(99, 5);  // an unknown field of the future
  });
}

std::string library(const std::vector<std::string>& functions,
                    const std::vector<std::pair<std::string, std::string>>& gradients = {}) {
  return message([&](WireWriter& to) {
    for (const std::string& one : functions) to.bytes(1, one);
    for (const auto& [name, gradient] : gradients) write_entry(to, 2, name, gradient);
  });
}

std::string error(const std::string& bytes) { return FunctionLibrary::read(bytes).status().message(); }

FunctionLibrary read(const std::string& bytes) {
  auto found = FunctionLibrary::read(bytes);
  EXPECT_OK(found.status());
  return found.ok() ? found.take() : FunctionLibrary();
}

TINYTF_TEST(function_def_is_read_whole) {
  auto found = read_function_def(function("f"));
  EXPECT_OK(found.status());
  const FunctionDef& f = found.value();
  EXPECT_EQ(f.name(), "f");
  EXPECT_EQ(f.signature.inputs[0].type_attr, "T");
  EXPECT_EQ(f.signature.attrs[0].allowed_types.size(), 2u);
  EXPECT_EQ(f.nodes.size(), 2u);
  EXPECT_EQ(f.nodes[1].name, "b");
  EXPECT(f.nodes[1].inputs == (std::vector<std::string>{"a:z:0", "^x"}));
  EXPECT(f.nodes[1].attrs == (AttrProtos{{"T", "\x4A\x01T"}}));
  EXPECT_EQ(f.ret.at("y"), "b:z:0");
  EXPECT_EQ(f.control_ret.at("done"), "a");
  EXPECT_EQ(f.attrs.at("_noinline"), "\x28\x01");
  EXPECT_EQ(f.arg_attrs.at(3).at("_user"), "\x18\x07");
}

TINYTF_TEST(functions_are_written_as_they_were_read) {
  const std::string bytes = library({function("g"), function("f")}, {{"f", "g"}});
  const FunctionLibrary found = read(bytes);
  EXPECT_EQ(found.size(), 2u);
  EXPECT_EQ(found.gradient_of("f"), "g");
  EXPECT_EQ(found.gradient_of("g"), "");
  EXPECT(found.find("h") == nullptr);
  EXPECT_EQ(message([&](WireWriter& to) { EXPECT_OK(write_function_library(to, found)); }), bytes);
}

TINYTF_TEST(functions_are_the_same_in_any_order_of_nodes) {
  FunctionLibrary all = read(library({function("f")}));
  EXPECT_OK(all.add(read(library({function("f", false), function("g")}))));
  EXPECT_EQ(all.size(), 2u);
  EXPECT_EQ(all.find("f")->nodes[0].name, "a");  // the first definition stays
}

TINYTF_TEST(functions_of_one_name_must_be_the_same) {
  FunctionLibrary all = read(library({function("f"), function("g"), function("h")}, {{"f", "g"}}));
  EXPECT_EQ(all.add(read(library({function("i"), function("f", true, "a:z:0")}))).message(),
            "Cannot add function 'f' because a different function with the same name already exists.");
  EXPECT(all.find("i") == nullptr);
  EXPECT_EQ(all.add(read(library({function("f"), function("h"), function("i")}, {{"f", "h"}}))).message(),
            "Cannot assign gradient function 'h' to 'f' because it already has gradient function 'g'");
  EXPECT(all.find("i") == nullptr);
  EXPECT_OK(all.add(read(library({function("f"), function("g")}, {{"f", "g"}}))));
  EXPECT_EQ(error(library({function("f"), function("f", true, "x")})),
            "Cannot add function 'f' because a different function with the same name already exists.");
  EXPECT_EQ(error(library({function("MatMul")})),
            "Cannot add function 'MatMul' because an op with the same name already exists.");
}

TINYTF_TEST(what_another_library_has_of_a_function_is_taken) {
  FunctionLibrary all = read(library({function("f")}));
  const FunctionLibrary others = read(library({function("f", true, "x"), function("g"), function("h")}, {{"g", "h"}}));
  EXPECT(!all.take({"f", {}}, others));  // the existing definition stays
  EXPECT(!all.take({"i", {}}, others));
  EXPECT(all.take({"g", {}}, others));
  EXPECT(!all.take({"g", {}}, others));
  EXPECT_EQ(all.size(), 2u);
  EXPECT_EQ(all.gradient_of("g"), "h");
  FunctionLibrary derived;
  derived.add_derived({"f", {}}, {nullptr, "it cannot"});
  EXPECT(all.take({"f", {}}, derived));
  EXPECT_EQ(all.derived({"f", {}})->why, "it cannot");
  EXPECT(all.graphs().empty());
}

TINYTF_TEST(functions_with_gradients_must_be_there) {
  EXPECT_EQ(error(library({function("f")}, {{"f", "g"}})), "FunctionDefLibrary missing 'g' FunctionDef");
  EXPECT_EQ(error(library({function("f")}, {{"h", "f"}})), "FunctionDefLibrary missing 'h' FunctionDef");
}

TINYTF_TEST(functions_are_what_nodes_may_be) {
  const FunctionLibrary found = read(library({function("f")}));
  const OpDef& op = *found.op("f");
  EXPECT(op.has(Trait::kFunction) && op.calls_functions());
  EXPECT_EQ(op.inputs[0].type_attr, "T");
  EXPECT(found.op("g") == nullptr);
  const FunctionLibrary copy = found;
  EXPECT(copy.op("f") == &op);
}

TINYTF_TEST(no_node_is_a_function_whose_types_nobody_knows) {
  FunctionLibrary found;  // contains its output types
  const auto with = [&found](const std::function<void(OpDef&)>& change) {
    OpDef op = signature("f");
    change(op);
    const std::string bytes = message([&](WireWriter& to) { to.nested(1, [&] { EXPECT_OK(write_op_def(to, op)); }); });
    found = read(library({bytes}));
    return found.op("f");
  };
  EXPECT(with([](OpDef&) {}) != nullptr);
  EXPECT(with([](OpDef& op) { op.attrs.clear(); }) == nullptr);
  EXPECT(with([](OpDef& op) { op.inputs[0].type_attr = ""; }) == nullptr);
  EXPECT(with([](OpDef& op) { op.outputs[0].type_list_attr = "T"; }) == nullptr);
  EXPECT(with([](OpDef& op) { op.inputs[0].number_attr = "T"; }) == nullptr);
  EXPECT(with([](OpDef& op) {
           op.attrs.push_back({"N", AttrKind::kInt, false, int64_t{-3}, {}, {}, -5});
           op.inputs[0].number_attr = "N";
         })
             ->find_attr("N")
             ->minimum == 0);
}

TINYTF_TEST(gradients_are_named_once_and_derived_once) {
  FunctionLibrary found = read(library({function("f"), function("g"), function("h")}));
  EXPECT_EQ(found.set_gradient("f", "i").message(), "FunctionDefLibrary missing 'i' FunctionDef");
  EXPECT_OK(found.set_gradient("f", "g"));
  EXPECT_OK(found.set_gradient("f", "g"));
  EXPECT_EQ(found.gradient_of("f"), "g");
  EXPECT_EQ(found.set_gradient("f", "h").message(),
            "Cannot assign gradient function 'h' to 'f' because it already has gradient function 'g'");
  const FuncRef of_floats{"g", {{"T", "\x30\x01"}}};
  EXPECT(found.derived(of_floats) == nullptr);
  found.add_derived(of_floats, {nullptr, "first"});
  found.add_derived(of_floats, {nullptr, "second"});
  EXPECT_EQ(found.derived(of_floats)->why, "first");
  EXPECT(found.derived({"g", {}}) == nullptr);
  FunctionLibrary other;
  EXPECT_OK(other.add(found));
  EXPECT_EQ(other.derived(of_floats)->why, "first");
}

TINYTF_TEST(functions_that_are_damaged_are_refused_or_written_as_they_are) {
  const std::string bytes = library({function("f"), function("g")}, {{"f", "g"}});
  std::mt19937_64 random(20261125);
  for (int round = 0; round < 5000; ++round) {
    std::string changed = bytes;
    for (uint64_t changes = random() % 3 + 1; changes > 0; --changes) {
      changed[random() % changed.size()] = static_cast<char>(random());
    }
    if (random() % 4 == 0) changed.resize(random() % changed.size());
    const auto found = FunctionLibrary::read(changed);
    if (!found.ok()) continue;
    const std::string written = message([&](WireWriter& to) { EXPECT_OK(write_function_library(to, found.value())); });
    const auto again = FunctionLibrary::read(written);
    EXPECT_OK(again.status());
    EXPECT_EQ(message([&](WireWriter& to) { EXPECT_OK(write_function_library(to, again.value())); }), written);
  }
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

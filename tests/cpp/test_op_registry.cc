#include "op/op_registry.h"

#include <set>

#include "op/all_ops.h"
#include "op/registration.h"
#include "op/variant_forms.h"
#include "tests/cpp/death.h"
#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"
#include "tests/cpp/in_child.h"

namespace tinytf {
namespace TINYTF_FILE {

TINYTF_TEST(op_registry_finds_what_was_declared) {
  OpRegistry ops;
  EXPECT(ops.find("Some") == nullptr);
  ops.op("Some").input("x: float").output("y: float").doc("Says what.");
  ops.op("Other");
  const OpDef* some = ops.find("Some");
  EXPECT(some != nullptr && some->name == "Some" && some->inputs.size() == 1);
  EXPECT(ops.find("some") == nullptr);  // names are case-sensitive
  EXPECT(ops.find("Som") == nullptr);
  EXPECT_EQ(ops.all().size(), size_t{2});
  EXPECT_EQ(ops.all()[1].name, "Other");
}

TINYTF_TEST(op_registry_finds_internal_ops_for_passes_only) {
  OpRegistry ops;
  ops.op("_Fused").internal();
  ops.op("_Known");
  EXPECT(ops.find("_Fused") == nullptr && ops.find("_Known") != nullptr);
  EXPECT(ops.find_for_pass("_Fused") != nullptr && ops.find_for_pass("_Fused")->is_internal);
  EXPECT_EQ(ops.find_for_pass("_Known"), ops.find("_Known"));
  EXPECT(ops.find_for_pass("_Other") == nullptr);
  EXPECT(testing::aborts([] {
    OpRegistry others;
    others.op("Fused").internal();
  }));
}

/// An internal op is as unknown to graphs as an op that does not exist.
TINYTF_TEST(internal_ops_are_unknown_to_graphs) {
  EXPECT(testing::holds_in_child([] {
    const_cast<OpRegistry&>(OpRegistry::global()).op("_Hidden").output("y: float").internal();
    const auto error_of = [](const std::string& op) {
      testing::GraphFixture g;
      const Status status = g.request(op, "node").status();
      return str_cat(static_cast<int>(status.code()), " ", status.message());
    };
    std::string expected = error_of("_Absent");
    for (size_t at; (at = expected.find("_Absent")) != expected.npos;) expected.replace(at, 7, "_Hidden");
    return OpRegistry::global().find_for_pass("_Hidden") != nullptr && error_of("_Hidden") == expected;
  }));
}

TINYTF_TEST(op_registry_keeps_declarations_in_place) {
  OpRegistry ops;
  ops.op("First");
  const OpDef* first = ops.find("First");
  for (int i = 0; i < 1000; ++i) ops.op(str_cat("Op", i));
  EXPECT_EQ(ops.find("First"), first);  // nodes hold pointers to it
  EXPECT_EQ(ops.find("Op999")->name, "Op999");
}

TINYTF_TEST(op_registry_aborts_on_a_second_declaration) {
  EXPECT(testing::aborts([] {
    OpRegistry ops;
    ops.op("Same");
    ops.op("Same");
  }));
}

TINYTF_TEST(op_registry_of_the_process_is_complete_and_stable) {
  const OpRegistry& global = OpRegistry::global();
  EXPECT_EQ(&global, &OpRegistry::global());
  for (const char* op : {"Const", "Placeholder", "MatMul", "VariableV2", "NoOp", "Conv2D"}) {
    EXPECT(global.find(op) != nullptr);
  }
  OpRegistry again;
  KernelRegistry kernels;
  VariantForms forms;
  register_all_ops(again, kernels, forms);
  EXPECT_EQ(again.all().size(), global.all().size());
}

/// The errors of a declaration.
std::vector<std::string> mistakes(const OpDef& op) {
  std::vector<std::string> found;
  std::set<std::string> names;
  for (const AttrDef& attr : op.attrs) {
    if (!names.insert(attr.name).second) found.push_back(str_cat("attr ", attr.name, " twice"));
  }
  const auto need = [&](const std::string& attr, AttrKind kind, bool is_list) {
    if (attr.empty()) return;
    const AttrDef* def = op.find_attr(attr);
    if (def == nullptr || def->kind != kind || def->is_list != is_list) found.push_back(str_cat("no attr ", attr));
  };
  for (const auto* args : {&op.inputs, &op.outputs}) {
    names.clear();
    for (const ArgDef& arg : *args) {
      if (!names.insert(arg.name).second) found.push_back(str_cat("argument ", arg.name, " twice"));
      need(arg.type_attr, AttrKind::kType, false);
      need(arg.number_attr, AttrKind::kInt, false);
      need(arg.type_list_attr, AttrKind::kType, true);
    }
  }
  if (op.doc.empty()) found.push_back("no doc");
  if (op.shape_fn == nullptr && !op.outputs.empty()) found.push_back("no shape function");
  return found;
}

TINYTF_TEST(op_declarations_are_consistent) {
  for (const OpDef& op : OpRegistry::global().all()) {
    for (const std::string& mistake : mistakes(op)) testing::fail(__FILE__, __LINE__, str_cat(op.name, ": ", mistake));
  }
  OpDef wrong;
  OpDefBuilder(&wrong).input("x: T").input("x: N * float").attr("T: int").attr("T: type");
  EXPECT_EQ(mistakes(wrong).size(), size_t{5});  // the check detects errors
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

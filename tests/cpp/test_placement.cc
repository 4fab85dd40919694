#include "graph/placement.h"

#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::GraphFixture;

PlacementOptions cpus(int count, bool softly = false) {
  PlacementOptions options;
  options.cpu_devices = count;
  options.allow_soft_placement = softly;
  options.keeps_news = true;
  return options;
}

struct Fixture : GraphFixture {
  Node* on(const char* device, Node* node) {
    graph()->set_device(node, device);
    return node;
  }
  Node* in_class(Node* node, std::vector<std::string> groups) {
    graph()->set_attr(node, "_class", std::move(groups));
    return node;
  }
  Node* neg(const char* name, Node* x) { return add("Neg", name, {{x, 0}}); }
};

std::string names(const std::vector<const Node*>& nodes) {
  return str_join(nodes, " ", [](const Node* node) { return node->name(); });
}
bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TINYTF_TEST(placement_on_one_device_is_the_first) {
  Fixture f;
  Node* x = f.placeholder("x");
  Placement placement({});
  EXPECT_EQ(placement.devices().size(), size_t{1});
  EXPECT_EQ(placement.device_of(*x), -1);
  EXPECT_OK(placement.extend(*f.graph()));
  EXPECT_EQ(placement.device_of(*x), 0);
  Node* y = f.neg("y", x);
  EXPECT_EQ(placement.device_of(*y), -1);
  EXPECT_OK(placement.extend(*f.graph()));
  EXPECT_OK(placement.extend(*f.graph()));
  EXPECT_EQ(placement.device_of(*y), 0);
  EXPECT(placement.take_news().placed.empty());  // the log was not requested
}

TINYTF_TEST(placement_puts_generators_with_their_consumers) {
  Fixture f;
  Node* c = f.constant("c", Tensor::scalar(1.0f));
  Node* several = f.constant("several", Tensor::scalar(1.0f));
  Node* alone = f.constant("alone", Tensor::scalar(1.0f));
  Node* fixed = f.on("/cpu:0", f.constant("fixed", Tensor::scalar(1.0f)));
  Node* sum = f.on("/cpu:1", f.add("Add", "sum", {{c, 0}, {fixed, 0}}));
  Node* there = f.on("/cpu:1", f.neg("there", several));
  Node* here = f.neg("here", several);
  Node* waits = f.on("/cpu:1", f.add("Neg", "waits", {{sum, 0}}, {}, {c}));
  Placement placement(cpus(2));
  EXPECT_OK(placement.extend(*f.graph()));
  for (Node* node : {sum, there, waits, c}) EXPECT_EQ(placement.device_of(*node), 1);
  for (Node* node : {here, several, alone, fixed}) EXPECT_EQ(placement.device_of(*node), 0);
  EXPECT_EQ(names(placement.take_news().placed), "sum there here waits c several alone fixed");
  EXPECT(placement.take_news().placed.empty());
}

TINYTF_TEST(placement_puts_readers_of_shapes_with_their_inputs) {
  Fixture f;
  Node* x = f.placeholder("x");
  Node* there = f.on("/cpu:1", f.neg("there", x));
  Node* shape = f.add("Shape", "shape", {{there, 0}});
  Node* size = f.on("/cpu:0", f.add("Size", "size", {{there, 0}}));
  Node* neg = f.neg("neg", there);
  Placement placement(cpus(2));
  EXPECT_OK(placement.extend(*f.graph()));
  EXPECT_EQ(placement.device_of(*shape), 1);
  EXPECT_EQ(placement.device_of(*size), 0);
  EXPECT_EQ(placement.device_of(*neg), 0);
}

TINYTF_TEST(placement_keeps_references_and_resources_together) {
  Fixture f;
  Node* value = f.constant("value", Tensor::scalar(1.0f));
  Node* v = f.on("/cpu:1", f.variable("v", {}));
  Node* assign = f.on("/cpu:0", f.add("Assign", "assign", {{v, 0}, {value, 0}}));
  Node* read = f.on("/cpu:0", f.add("Identity", "read", {{v, 0}}));
  Node* handle =
      f.on("/cpu:1", f.add("VarHandleOp", "handle", {}, {{"dtype", DType::kFloat}, {"shape", PartialShape({})}}));
  Node* write = f.add("AssignVariableOp", "write", {{handle, 0}, {value, 0}});
  Placement placement(cpus(2));
  EXPECT_OK(placement.extend(*f.graph()));
  for (Node* node : {v, assign, handle, write}) EXPECT_EQ(placement.device_of(*node), 1);
  EXPECT_EQ(placement.device_of(*read), 0);  // it takes the value
  const PlacementNews news = placement.take_news();
  EXPECT_EQ(news.notes.size(), size_t{1});
  EXPECT(has(news.notes[0], "Ignoring device specification /device:CPU:0 for node 'assign' because"));
}

TINYTF_TEST(placement_follows_classes) {
  Fixture f;
  Node* x = f.placeholder("x");
  Node* early = f.in_class(f.neg("early", x), {"loc:@late", "other"});
  Node* late = f.on("/cpu:1", f.neg("late", x));
  Node* a = f.in_class(f.neg("a", x), {"loc:@nobody"});
  Node* b = f.in_class(f.on("/cpu:1", f.neg("b", x)), {"loc:@nobody"});
  Placement placement(cpus(2));
  EXPECT_OK(placement.extend(*f.graph()));
  for (Node* node : {early, late, a, b}) EXPECT_EQ(placement.device_of(*node), 1);
  f.in_class(f.on("/cpu:0", f.neg("against", x)), {"loc:@early"});
  EXPECT(has(placement.extend(*f.graph()).message(),
             "Cannot colocate nodes {{colocation_node against}} and {{colocation_node early}}: Cannot merge devices "
             "with incompatible ids: '/job:localhost/replica:0/task:0/device:CPU:0' and "
             "'/job:localhost/replica:0/task:0/device:CPU:1'\n\t [[{{node "
             "against}}]]"));
}

TINYTF_TEST(placement_ignores_impossible_classes_softly) {
  Fixture f;
  Node* x = f.placeholder("x");
  Node* v = f.on("/cpu:0", f.variable("v", {}));
  Node* w = f.in_class(f.on("/cpu:1", f.variable("w", {})), {"loc:@v"});
  Node* gpu = f.on("/gpu:0", f.neg("gpu", x));
  Placement placement(cpus(2, true));
  EXPECT_OK(placement.extend(*f.graph()));
  EXPECT_EQ(placement.device_of(*v), 0);
  EXPECT_EQ(placement.device_of(*w), 1);
  EXPECT_EQ(placement.device_of(*gpu), 0);
  const PlacementNews news = placement.take_news();
  EXPECT_EQ(news.notes.size(), size_t{1});
  EXPECT_EQ(news.notes[0],
            "Ignoring request to colocate node 'w' with nodes in colocation group 'v' because soft placement is on and "
            "an attempt at doing so resulted in the following error: Invalid argument: Cannot colocate nodes "
            "{{colocation_node w}} and {{colocation_node v}}: Cannot merge devices with incompatible ids: "
            "'/device:CPU:1' and '/device:CPU:0'\n\t [[{{node w}}]]");
}

TINYTF_TEST(placement_fails_until_the_node_is_mended) {
  Fixture f;
  Node* x = f.placeholder("x");
  Placement placement(cpus(1));
  EXPECT_OK(placement.extend(*f.graph()));
  Node* fine = f.neg("fine", x);
  Node* bad = f.on("/cpu:3", f.neg("bad", x));
  placement.take_news();
  for (int attempt = 0; attempt < 2; ++attempt) {
    const Status status = placement.extend(*f.graph());
    EXPECT_EQ(status.code(), Code::kInvalidArgument);
    EXPECT_EQ(status.message(),
              "Cannot assign a device for operation bad: {{node bad}} was explicitly assigned to /cpu:3 but available "
              "devices are [ /job:localhost/replica:0/task:0/device:CPU:0 ]. Make sure the device specification refers "
              "to a valid device.\n\t [[bad]]");
    EXPECT_EQ(placement.device_of(*fine), -1);
    EXPECT(placement.take_news().placed.empty());
  }
  f.graph()->set_device(bad, "");
  EXPECT_OK(placement.extend(*f.graph()));
  EXPECT_EQ(names(placement.take_news().placed), "fine bad");
}

TINYTF_TEST(placement_weighs_nothing_where_one_device_fits_all) {
  Fixture f;
  Node* x = f.on("/job:localhost/cpu:*", f.placeholder("x"));
  Node* y = f.on("/cpu:0", f.neg("y", x));
  Node* z = f.on("/cpu:0", f.neg("z", y));
  Placement placement({});
  EXPECT_OK(placement.extend(*f.graph()));
  for (Node* node : {x, y, z}) EXPECT_EQ(placement.device_of(*node), 0);
  Node* bad = f.on("cpu:0", f.neg("bad", z));
  EXPECT(has(placement.extend(*f.graph()).message(), "Malformed device specification 'cpu:0' in node: "));
  f.graph()->set_device(bad, "/gpu:0");
  EXPECT(has(placement.extend(*f.graph()).message(), "was explicitly assigned to /gpu:0"));
  f.graph()->set_device(bad, "/cpu:0");
  EXPECT_OK(placement.extend(*f.graph()));
  // Also with several devices, if no node requests one.
  Fixture plain;
  Node* p = plain.neg("p", plain.placeholder("q"));
  PlacementOptions options;
  options.cpu_devices = 3;
  Placement several(options);
  EXPECT_OK(several.extend(*plain.graph()));
  EXPECT_EQ(several.device_of(*p), 0);
  Node* r = plain.on("/cpu:2", plain.neg("r", p));
  Node* s = plain.in_class(plain.neg("s", p), {"loc:@r"});
  EXPECT_OK(several.extend(*plain.graph()));
  EXPECT_EQ(several.device_of(*r), 2);
  EXPECT_EQ(several.device_of(*s), 2);
}

TINYTF_TEST(placement_is_remembered) {
  Fixture f;
  Node* x = f.placeholder("x");
  Node* there = f.on("/cpu:1", f.neg("there", x));
  Placement placement(cpus(2));
  EXPECT_OK(placement.extend(*f.graph()));
  f.on("/cpu:0", there);  // too late
  Node* joins = f.in_class(f.neg("joins", x), {"loc:@there"});
  EXPECT_OK(placement.extend(*f.graph()));
  EXPECT_EQ(placement.device_of(*there), 1);
  EXPECT_EQ(placement.device_of(*joins), 1);
}

TINYTF_TEST(placement_of_some_nodes_leaves_the_others) {
  Fixture f;
  Node* x = f.placeholder("x");
  Node* bad = f.on("/gpu:0", f.neg("bad", x));
  Node* y = f.neg("y", x);
  for (const int count : {1, 2}) {
    Placement placement(cpus(count));
    EXPECT_OK(placement.place(*f.graph(), {y, x}));
    EXPECT_EQ(names(placement.take_news().placed), "y x");
    EXPECT_OK(placement.place(*f.graph(), {x, y}));
    EXPECT(placement.take_news().placed.empty());
    EXPECT_EQ(placement.device_of(*bad), -1);
    EXPECT(!placement.place(*f.graph(), {x, bad}).ok());
  }
  // A class named after a node without a device, which needs none.
  Placement placed(cpus(1));
  EXPECT_OK(placed.place(*f.graph(), {x, f.in_class(f.neg("z", x), {"loc:@bad"})}));
  Fixture plain;
  Node* p = plain.placeholder("p");
  Node* q = plain.neg("q", p);
  Node* r = plain.neg("r", q);
  Placement placement({});
  EXPECT_OK(placement.place(*plain.graph(), {r}));
  EXPECT_EQ(placement.device_of(*r), 0);
  EXPECT_EQ(placement.device_of(*p), -1);
  EXPECT_OK(placement.place(*plain.graph(), {p}));
  EXPECT_EQ(placement.device_of(*p), 0);
  EXPECT_EQ(placement.device_of(*q), -1);
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

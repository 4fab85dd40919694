#include "graph/device_groups.h"

#include "tests/cpp/graph_fixture.h"
#include "tests/cpp/harness.h"

namespace tinytf {
namespace TINYTF_FILE {

using testing::GraphFixture;

/// Nodes that request devices, in groups over two CPUs.
struct Fixture : GraphFixture {
  std::vector<DeviceName> devices = {DeviceName::local("CPU", 0), DeviceName::local("CPU", 1)};
  DeviceGroups groups;

  explicit Fixture(bool softly = false) : groups(devices, softly) {}

  Node* node(const char* name, const char* device, const char* op = "NoOp") {
    Node* node = op == std::string("NoOp") ? add("NoOp", name) : variable(name, {});
    graph()->set_device(node, device);
    EXPECT_OK(groups.add(*node));
    return node;
  }
  Node* source(const char* name, const char* device) { return node(name, device, "VariableV2"); }
  std::string colocate(Node* a, Node* b) { return groups.colocate(*a, *b).message(); }
  /// The index of the device, or the message.
  std::string choice(Node* node, int preferred = -1) {
    auto device = groups.choose(*node, preferred);
    return device.ok() ? str_cat(device.value()) : device.status().message();
  }
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TINYTF_TEST(device_groups_choose_what_is_asked_for) {
  Fixture f;
  EXPECT_EQ(f.choice(f.node("free", "")), "0");
  EXPECT_EQ(f.choice(f.node("any", "/job:localhost")), "0");
  EXPECT_EQ(f.choice(f.node("one", "/cpu:1")), "1");
  EXPECT_EQ(f.choice(f.node("preferring", ""), 1), "1");
  EXPECT_EQ(f.choice(f.node("preferring_too", "/cpu:*"), 1), "1");
  EXPECT_EQ(f.choice(f.node("fixed", "/cpu:0"), 1), "0");
  EXPECT_EQ(f.choice(f.node("bad", "/device:TPU:0")),
            "{{node bad}} was explicitly assigned to /device:TPU:0 but available devices are [ "
            "/job:localhost/replica:0/task:0/device:CPU:0, /job:localhost/replica:0/task:0/device:CPU:1 ]. Make sure "
            "the device specification refers to a valid device.");
  EXPECT(has(f.choice(f.node("gpu", "/gpu:0")),
             "refers to a valid device. The requested device appears to be a GPU, but CUDA is not enabled."));
}

TINYTF_TEST(device_groups_refuse_malformed_names) {
  Fixture f;
  Node* x = f.placeholder("x");
  Node* wait = f.add("NoOp", "wait");
  Node* bad = f.add("Neg", "bad", {{x, 0}}, {}, {wait});
  f.graph()->set_device(bad, "cpu:0");
  EXPECT_EQ(f.groups.add(*bad).message(),
            "Malformed device specification 'cpu:0' in node: {name:'bad' id:4 op device:{} def:{{{node bad}} = "
            "Neg[T=DT_FLOAT, _device=\"cpu:0\"](x, ^wait)}}\n\t [[bad]]");
}

TINYTF_TEST(device_groups_share_one_device) {
  Fixture f;
  Node* a = f.node("a", "");
  Node* b = f.node("b", "/job:localhost");
  Node* c = f.node("c", "/cpu:1");
  Node* d = f.node("d", "");
  EXPECT_EQ(f.colocate(a, b), "");
  EXPECT_EQ(f.colocate(c, d), "");
  EXPECT_EQ(f.colocate(d, a), "");
  EXPECT_EQ(f.colocate(b, c), "");  // they are already colocated
  EXPECT_EQ(f.choice(b), "1");
  EXPECT_EQ(f.choice(a, 0), "1");  // already decided
}

TINYTF_TEST(device_groups_refuse_contradictions) {
  Fixture f;
  Node* a = f.node("a", "/cpu:0");
  Node* b = f.node("b", "/cpu:1");
  EXPECT_EQ(f.colocate(b, a),
            "Cannot colocate nodes {{colocation_node b}} and {{colocation_node a}}: Cannot merge devices with "
            "incompatible ids: '/device:CPU:1' and '/device:CPU:0'");
  EXPECT_EQ(f.choice(a), "0");  // unchanged
  EXPECT_EQ(f.choice(b), "1");
  // For a group without a possible device, the message lists the requests of its nodes.
  Node* far = f.node("far", "/cpu:7");
  Node* free = f.node("free", "");
  EXPECT_EQ(f.colocate(free, far), "");
  EXPECT_EQ(f.choice(free),
            "Could not satisfy explicit device specification '' because the node {{colocation_node free}} was "
            "colocated with a group of nodes that required incompatible device '/device:CPU:7'. All available devices "
            "[/job:localhost/replica:0/task:0/device:CPU:0, /job:localhost/replica:0/task:0/device:CPU:1]. \n"
            "Colocation Debug Info:\nColocation group had the following types and supported devices: \n"
            "Root Member(assigned_device_name_index_=-1 requested_device_name_='/device:CPU:7' "
            "assigned_device_name_='' resource_device_name_='' supported_device_types_=[CPU] possible_devices_=[]\n"
            "NoOp: CPU \n\nColocation members, user-requested devices, and framework assigned devices, if any:\n"
            "  far (NoOp) /cpu:7\n  free (NoOp) \n");
}

TINYTF_TEST(device_groups_stay_where_they_were_placed) {
  Fixture f;
  Node* old = f.add("NoOp", "old");
  EXPECT(!f.groups.has(*old));
  f.groups.add_placed(*old, 1);
  EXPECT(f.groups.has(*old));
  Node* joins = f.node("joins", "/cpu:*");
  EXPECT_EQ(f.colocate(joins, old), "");
  EXPECT_EQ(f.choice(joins, 0), "1");
  EXPECT(has(f.colocate(f.node("not", "/cpu:0"), old), "Cannot merge devices with incompatible ids"));
}

TINYTF_TEST(device_groups_follow_the_source_of_a_reference) {
  Fixture f;
  Node* v = f.source("v", "/cpu:1");
  Node* user = f.node("user", "/cpu:0");
  EXPECT_OK(f.groups.join_reference(*v, *user));
  EXPECT_EQ(f.choice(user), "1");
  EXPECT_EQ(f.groups.notes.size(), size_t{1});
  EXPECT_EQ(f.groups.notes[0],
            "Ignoring device specification /device:CPU:0 for node 'user' because the input edge from 'v' is a "
            "reference connection and already has a device field set to /device:CPU:1");
  Node* w = f.source("w", "/cpu:0");
  EXPECT_EQ(f.groups.join_reference(*w, *user).message(),
            "Cannot place the graph because a reference or resource edge connects colocation groups with incompatible "
            "resource devices: /device:CPU:0 vs /device:CPU:1. The edge src node is w , and the dst node is user");
  Node* here = f.add("NoOp", "here");
  Node* there = f.add("NoOp", "there");
  f.groups.add_placed(*here, 0);
  f.groups.add_placed(*there, 1);
  EXPECT(has(f.groups.join_reference(*here, *there).message(), "with incompatible assigned devices: /job:localhost"));
}

TINYTF_TEST(device_groups_relax_types_and_ids_softly) {
  Fixture f(true);
  EXPECT_EQ(f.choice(f.node("gpu", "/gpu:3")), "0");
  EXPECT_EQ(f.choice(f.node("here", "/job:localhost/task:0/gpu:0")), "0");
  EXPECT(has(f.choice(f.node("job", "/job:ps/gpu:0")), "was explicitly assigned to /job:ps/gpu:0"));
  Node* a = f.node("a", "/cpu:1");
  Node* b = f.node("b", "/cpu:0");
  EXPECT_EQ(f.colocate(b, a), "");
  EXPECT_EQ(f.choice(a), "0");
  EXPECT(has(f.colocate(f.node("x", "/job:x"), f.node("y", "/job:y")), "incompatible jobs"));
  EXPECT(f.groups.warnings.empty());
}

TINYTF_TEST(device_groups_tell_when_resources_move) {
  Fixture f(true);
  Node* v = f.source("v", "/gpu:0");
  Node* user = f.node("user", "");
  EXPECT_OK(f.groups.join_reference(*v, *user));
  EXPECT_EQ(f.choice(user), "0");
  EXPECT_EQ(f.groups.warnings.size(), size_t{1});
  EXPECT(has(f.groups.warnings[0], "Failed to place the graph without changing the devices of some resources. "));
  EXPECT(has(f.groups.warnings[0], "Current candidate devices are [\n  /job:localhost/replica:0/task:0/device:CPU:0"));
  EXPECT(has(f.groups.warnings[0], "resource_device_name_='/device:GPU:0'"));
  EXPECT(has(f.groups.warnings[0], "\n  v (VariableV2) /gpu:0\n  user (NoOp) \n"));
}

}  // namespace TINYTF_FILE
}  // namespace tinytf

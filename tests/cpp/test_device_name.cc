#include "graph/device_name.h"

#include "tests/cpp/harness.h"

using tinytf::DeviceName;

namespace TINYTF_FILE {

/// The canonical form of a name, or "malformed".
std::string read(std::string_view text) {
  const auto name = DeviceName::parse(text);
  return name ? name->to_string() : "malformed";
}

DeviceName name(std::string_view text) { return DeviceName::parse(text).value(); }

std::string merged(std::string_view a, std::string_view b, bool softly = false) {
  DeviceName target = name(a);
  const tinytf::Status status = target.merge(name(b), softly);
  return status.ok() ? target.to_string() : status.message();
}

TINYTF_TEST(device_name_reads_parts_in_any_order) {
  EXPECT_EQ(read(""), "");
  EXPECT_EQ(read("/"), "");
  EXPECT_EQ(read("/job:ps_1/replica:2/task:3/device:CPU:4"), "/job:ps_1/replica:2/task:3/device:CPU:4");
  EXPECT_EQ(read("/device:GPU:1/task:0/job:worker"), "/job:worker/task:0/device:GPU:1");
  EXPECT_EQ(read("/cpu:0"), "/device:CPU:0");
  EXPECT_EQ(read("/CPU:07"), "/device:CPU:7");
  EXPECT_EQ(read("/gpu:1"), "/device:GPU:1");
  EXPECT_EQ(read("/GPU:*"), "/device:GPU:*");
  EXPECT_EQ(read("/device:CPU"), "/device:CPU:*");
  EXPECT_EQ(read("/device:cpu:0"), "/device:cpu:0");  // types in full names keep their case
  EXPECT_EQ(read("/device:*:3"), "");
  EXPECT_EQ(*name("/device:*:3").id, 3);
  EXPECT_EQ(read("/job:*/replica:*/task:*/device:*"), "");
  EXPECT_EQ(read("/cpu:0/cpu:1"), "/device:CPU:1");  // the last one counts
  EXPECT_EQ(read("/job:a/job:*"), "");
}

TINYTF_TEST(device_name_refuses_other_texts) {
  for (const char* text : {"cpu:0",
                           "/cpu",
                           "/cpu:",
                           "/Cpu:0",
                           "/cpu:0x",
                           "/cpu:-1",
                           "/cpu:+1",
                           "/foo:bar",
                           "/job:",
                           "/job:1a",
                           "/job:_x",
                           "/job:local-host",
                           "/task:x",
                           "/task:99999999999999999999",
                           "/device:",
                           "/device:1C:0",
                           "/device:CPU:-1",
                           "/job:a//cpu:0",
                           "//",
                           "/job:a ",
                           " "}) {
    EXPECT_EQ(read(text), "malformed");
  }
}

TINYTF_TEST(device_name_knows_which_devices_it_fits) {
  const DeviceName cpu = DeviceName::local("CPU", 1);
  EXPECT_EQ(cpu.to_string(), "/job:localhost/replica:0/task:0/device:CPU:1");
  for (const char* text : {"", "/cpu:1", "/cpu:*", "/job:localhost", "/device:*:1", "/task:0/replica:0"}) {
    EXPECT(name(text).matches(cpu));
    EXPECT(name(text).compatible(cpu));
  }
  for (const char* text : {"/cpu:0", "/gpu:1", "/device:cpu:1", "/job:worker", "/task:1", "/replica:1"}) {
    EXPECT(!name(text).matches(cpu));
    EXPECT(!name(text).compatible(cpu));
  }
  EXPECT(!cpu.matches(name("/cpu:1")));  // open fields may denote another device
  EXPECT(cpu.compatible(name("/cpu:1")));
  EXPECT(name("/").is_any());
  EXPECT(!name("/device:*:0").is_any());
  EXPECT(name("/cpu:0") == name("/device:CPU:0"));
  EXPECT(!(name("/cpu:0") == name("/cpu:*")));
}

TINYTF_TEST(device_name_merges_what_agrees) {
  EXPECT_EQ(merged("/job:a", "/task:1/cpu:*"), "/job:a/task:1/device:CPU:*");
  EXPECT_EQ(merged("/cpu:*", "/cpu:2"), "/device:CPU:2");
  EXPECT_EQ(merged("/job:a", "/job:b"), "Cannot merge devices with incompatible jobs: '/job:a' and '/job:b'");
  EXPECT_EQ(merged("/replica:0", "/replica:1"),
            "Cannot merge devices with incompatible replicas: '/replica:0' and '/replica:1'");
  EXPECT_EQ(merged("/task:1", "/task:2/cpu:0"),
            "Cannot merge devices with incompatible tasks: '/task:1' and '/task:2/device:CPU:0'");
  EXPECT_EQ(merged("/gpu:0", "/cpu:0"),
            "Cannot merge devices with incompatible types: '/device:GPU:0' and '/device:CPU:0'");
  EXPECT_EQ(merged("/cpu:1", "/cpu:0"),
            "Cannot merge devices with incompatible ids: '/device:CPU:1' and '/device:CPU:0'");
}

TINYTF_TEST(device_name_merges_softly_what_differs_in_type_or_id) {
  EXPECT_EQ(merged("/job:a/gpu:0", "/task:1/cpu:0", true), "/job:a/task:1");
  EXPECT_EQ(merged("/cpu:1", "/cpu:0", true), "/device:CPU:*");
  EXPECT_EQ(merged("/job:a", "/job:b", true), "Cannot merge devices with incompatible jobs: '/job:a' and '/job:b'");
  DeviceName target = name("/job:a/cpu:1");
  target.overwrite(name("/job:b/task:0/gpu:*"));
  EXPECT_EQ(target.to_string(), "/job:b/task:0/device:GPU:1");
}

}  // namespace TINYTF_FILE

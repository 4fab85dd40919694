#include <string>
#include <string_view>

#include "op/registration.h"
#include "ops/summary/shared/summary_file.h"

namespace tinytf::ops {
namespace {

bool is_message(std::string_view bytes) {
  WireReader fields(bytes);
  while (fields.next()) {
  }
  return fields.ok();
}

Status bad_message(const char* what) { return Status(Code::kDataLoss, str_cat("Bad ", what)); }

class WriteGraphKernel final : public Kernel {
 public:
  explicit WriteGraphKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    constexpr int kGraph = 2;
    TINYTF_ASSIGN_OR_RETURN(const std::string graph, only_element<std::string>(ctx, kGraph, "tensor"));
    if (!is_message(graph)) return bad_message("tf.GraphDef binary proto tensor string");
    return add_event(ctx, [&](WireWriter& to) {
      to.bytes(kEventGraphDef, graph);
      return Status();
    });
  }
};

class WriteRawProtoKernel final : public Kernel {
 public:
  explicit WriteRawProtoKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    constexpr int kSummaries = 2;
    const Tensor& summaries = ctx.input(kSummaries);
    std::string all;  // concatenated messages parse as one message with all their values
    for (int64_t i = 0; i < summaries.num_elements(); ++i) {
      const std::string& summary = summaries.data<std::string>()[i];
      std::unordered_set<std::string> tags;
      std::string unused;
      if (!write_told_once(summary, &tags, &unused)) {
        return bad_message(str_cat("tf.compat.v1.Summary binary proto tensor string at index ", i).c_str());
      }
      all += summary;
    }
    return add_event(ctx, [&](WireWriter& to) {
      to.bytes(kEventSummary, all);
      return Status();
    });
  }
};

class ImportEventKernel final : public Kernel {
 public:
  explicit ImportEventKernel(KernelInit&) {}

  Status compute(KernelContext& ctx) override {
    TINYTF_ASSIGN_OR_RETURN(const RefPtr<Resource> file, writer_of(ctx));
    TINYTF_ASSIGN_OR_RETURN(const std::string event, only_element<std::string>(ctx, 1, "event"));
    if (!is_message(event)) return bad_message("tf.Event binary proto tensor string");
    return static_cast<SummaryFile*>(file.get())->writer().add(event);
  }
};

}  // namespace
}  // namespace tinytf::ops

TINYTF_OPS(summary_write_messages) {
  using namespace tinytf::ops;
  using tinytf::Trait;
  ops.op("WriteGraphSummary")
      .input("writer: resource")
      .input("step: int64")
      .input("tensor: string")
      .stateful()
      .trait(Trait::kWritesExternalState)
      .shape(tinytf::shapes::no_outputs)
      .no_gradient()
      .doc(
          "Writes the serialized GraphDef `tensor` as an event of step `step`. Fails with DataLoss if it cannot be "
          "parsed.");
  kernels.add<WriteGraphKernel>("WriteGraphSummary");
  ops.op("WriteRawProtoSummary")
      .input("writer: resource")
      .input("step: int64")
      .input("tensor: string")
      .stateful()
      .trait(Trait::kWritesExternalState)
      .shape(tinytf::shapes::no_outputs)
      .no_gradient()
      .doc(
          "Writes the serialized Summaries in `tensor` as one event of step `step`. Fails with DataLoss if one cannot "
          "be parsed.");
  kernels.add<WriteRawProtoKernel>("WriteRawProtoSummary");
  ops.op("ImportEvent")
      .input("writer: resource")
      .input("event: string")
      .stateful()
      .trait(Trait::kWritesExternalState)
      .shape(tinytf::shapes::no_outputs)
      .no_gradient()
      .doc("Writes the serialized Event `event` unchanged. Fails with DataLoss if it cannot be parsed.");
  kernels.add<ImportEventKernel>("ImportEvent");
}

#include "graph/arg_ranges.h"

namespace tinytf {

namespace {

Status no_type(const ArgDef& arg, const std::string& attr) {
  return invalid_argument("The type of '", arg.name, "' is given by attr '", attr,
                          "', which is missing or has no suitable value");
}

}  // namespace

Result<std::vector<DType>> types_of(const ArgDef& arg, const AttrMap& attrs) {
  if (!arg.type_list_attr.empty()) {
    const auto* types = attrs.get<std::vector<DType>>(arg.type_list_attr);
    if (types == nullptr) return no_type(arg, arg.type_list_attr);
    return *types;
  }
  DType type = arg.type;
  if (!arg.type_attr.empty()) {
    const auto* given = attrs.get<DType>(arg.type_attr);
    if (given == nullptr) return no_type(arg, arg.type_attr);
    type = *given;
  }
  int64_t count = 1;
  if (!arg.number_attr.empty()) {
    const auto* given = attrs.get<int64_t>(arg.number_attr);
    if (given == nullptr || *given < 0 || *given > kMaxOutputs) return no_type(arg, arg.number_attr);
    count = *given;
  }
  return std::vector<DType>(static_cast<size_t>(count), type);
}

std::vector<ArgRange> output_ranges(const NodeInfo& node) {
  std::vector<ArgRange> ranges;
  int begin = 0;
  for (const ArgDef& arg : node.op->outputs) {
    const auto types = types_of(arg, node.attrs);
    const int count = types.ok() ? static_cast<int>(types.value().size()) : 0;  // The attrs of a node are complete.
    ranges.push_back({&arg, begin, count});
    begin += count;
  }
  return ranges;
}

}  // namespace tinytf

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tinytf {

/// Prints an uncommon message. `field` is its number in NodeDef (5: an attr's value, 6: debug info). Returns the text
/// of protobuf's printer, indented by `indent` blanks. May throw.
using PrintMessage = std::function<std::string(uint32_t field, std::string_view message, int indent)>;

/// The nodes of a GraphDef in protobuf's text format, and the bytes of its other fields.
struct GraphText {
  std::string nodes;
  std::string rest;
};

/// Uncommon attr values are printed by `print`, each distinct one once. InvalidArgument for bytes that are not a
/// GraphDef.
Result<GraphText> graph_text(std::string_view graph_def, const PrintMessage& print);

}  // namespace tinytf

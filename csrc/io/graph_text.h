#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace tinytf {

/// What is seldom in graphs: the text of a message, whose kind is a field's number in NodeDef (5: an attr's value, 6:
/// debug info), as protobuf's printer has it, indented by so many blanks. It may throw.
using PrintMessage = std::function<std::string(uint32_t field, std::string_view message, int indent)>;

/// A GraphDef's nodes in protobuf's text format, and the bytes of its other fields.
struct GraphText {
  std::string nodes;
  std::string rest;
};

/// Values of attrs that are no common ones are printed by `print`, each once. InvalidArgument for bytes that are no
/// GraphDef.
Result<GraphText> graph_text(std::string_view graph_def, const PrintMessage& print);

}  // namespace tinytf

#pragma once

#include <string>

#include "graph/passes/loops.h"

namespace tinytf {

/// The reason why control flow of nested conditions and while loops cannot be compiled to bytecode, which names a node;
/// empty if there is none.
std::string why_no_bytecode(const ControlStructure& control, Misfit* misfit = nullptr);

}  // namespace tinytf

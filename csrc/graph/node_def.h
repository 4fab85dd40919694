#pragma once

#include <cstdint>
#include <string_view>

#include "base/function_ref.h"
#include "graph/node.h"
#include "io/wire.h"

namespace tinytf {

// Serialization of nodes as fields of TensorFlow's NodeDef and of attr maps.

/// Writes an entry of an attr map, which is the field number `field` of its message.
Status write_attr_entry(WireWriter& to, uint32_t field, std::string_view name, const AttrValue& value);
/// Writes the fields of a NodeDef. The callback `write_inputs` writes the inputs by means of write_node_input.
Status write_node(WireWriter& to, const Node& node, bool add_shapes, FunctionRef<void()> write_inputs);
void write_node_input(WireWriter& to, std::string_view input);

}  // namespace tinytf

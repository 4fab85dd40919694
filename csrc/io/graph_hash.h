#pragma once

#include <cstdint>
#include <string_view>

#include "base/status.h"

namespace tinytf {

/// MurmurHash64A, with the seed that TensorFlow uses.
uint64_t murmur_hash(std::string_view bytes, uint64_t seed = 0xDECAFCAFFE);

/// A hash of the graph of a dataset: of the node of op _Retval in a GraphDef, with the ops, devices and attrs of all
/// that it depends on. Names of nodes and functions do not count, nor do the names and texts in signatures of
/// functions. For graphs without functions it is the hash that TensorFlow 1.15 computes. TensorFlow takes functions as
/// its optimizations have left them, and nodes of the same name in two functions for one, which is not done here.
/// InvalidArgument for bytes that are not such a GraphDef, and for functions that call each other too deeply.
Result<uint64_t> graph_hash(std::string_view graph_def);

}  // namespace tinytf

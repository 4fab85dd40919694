#include "op/value_graph.h"

#include <atomic>

namespace tinytf {

namespace {

std::atomic<const ValueGraphCodec*> value_codec{nullptr};

}  // namespace

void set_value_graph_codec(const ValueGraphCodec* codec) { value_codec.store(codec); }

Result<const ValueGraphCodec*> value_graph_codec() {
  const ValueGraphCodec* const codec = value_codec.load();
  if (codec == nullptr) return failed_precondition("Graphs can only be handled while a session is open");
  return codec;
}

}  // namespace tinytf

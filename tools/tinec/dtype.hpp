// Tine's element types beside NumPy's, and numbers from the command line as their bits.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "dsl/include/tine/dtype.hpp"
#include "tools/tinec/npy_header.hpp"

namespace tinec {

using tine::DType;

const char* name(DType);
/// "f32", or as NumPy says it, "float32".
std::optional<DType> parse_dtype(std::string_view);
/// What a file of these elements holds: bf16 as uint16 bits and the fp8 types as uint8 bits, for NumPy has neither.
npy::Element element_of(DType);
/// Whether a file's elements are those of a parameter.
bool fits(npy::Element, DType);

/// A number as the low bytes of a slot, rounded once to nearest even. Throws a Failure, as the end of a sentence, if
/// the text is no number or the type cannot hold it.
uint64_t parse_scalar(std::string_view text, DType);
/// Element 0 at `data` as such bits.
uint64_t scalar_bits(const void* data, DType);

}  // namespace tinec

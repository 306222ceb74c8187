// Arrangements in the neutral form of tests/data/cases/arrangements.json, evaluated by the front end's own algebra.
#pragma once
#include <string>

namespace tinec {

/// The answer to a file's text, as JSON. A Failure, as the end of a sentence, if the text has not the form of such a
/// file; what is wrong with one arrangement stands as `error` in its place.
std::string evaluate_ops(const std::string& json_text);

}  // namespace tinec

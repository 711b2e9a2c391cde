// Faults of an agent in C++ that are explained on standard error before the process ends.
#pragma once

#include <typeinfo>

#define FIREBOX_EXPORT __attribute__((visibility("default")))

namespace firebox {

// Note what is being called; null when it returned.
void enter(const char* call);
// Say what was thrown, and where. Without a type, what was thrown is said in words.
void explain(const ::std::type_info* type, const char* what);

}  // namespace firebox

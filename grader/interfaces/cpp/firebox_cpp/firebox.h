// What adapters in C++ need around an agent's code: faults that are explained before the process ends.
// Included after the agent's own headers, so that it changes nothing for them.
#pragma once

#include <exception>
#include <new>
#include <string>
#include <typeinfo>

#define FIREBOX_EXPORT __attribute__((visibility("default")))

namespace firebox {

const int ENDED_WELL = 0, THREW = 1, OUT_OF_MEMORY = 2;

// Note what is being called; null when it returned.
void enter(const char* call);
// Say on standard error what was thrown, and where.
void explain(const ::std::type_info* type, const char* what);

// Call the agent, and turn whatever it throws into a number.
template <typename Call>
int guarded(const char* name, Call call) {
    int outcome = ENDED_WELL;
    enter(name);
    try {
        call();
    } catch (const ::std::bad_alloc& error) {
        explain(&typeid(error), error.what());
        outcome = OUT_OF_MEMORY;
    } catch (const ::std::exception& error) {
        explain(&typeid(error), error.what());
        outcome = THREW;
    } catch (const char* text) {
        explain(nullptr, text);
        outcome = THREW;
    } catch (const ::std::string& text) {
        explain(nullptr, text.c_str());
        outcome = THREW;
    } catch (...) {
        explain(nullptr, "an exception that is no std::exception");
        outcome = THREW;
    }
    enter(nullptr);
    return outcome;
}

}  // namespace firebox

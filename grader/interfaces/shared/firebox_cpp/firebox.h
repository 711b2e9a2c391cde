// What adapters in C++ call an agent with. Included after the agent's own headers, so that it changes
// nothing for them.
#pragma once

#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "firebox_faults.h"

namespace firebox {

const int ENDED_WELL = 0, THREW = 1, OUT_OF_MEMORY = 2;

// Write what was printed and is still kept.
inline void flush() {
    ::std::cout.flush();
    ::std::fflush(stdout);
}

inline int failed(int outcome, const ::std::type_info* type, const char* what) {
    flush();
    explain(type, what);
    return outcome;
}

// Call the agent, and turn whatever it throws into a number.
template <typename Call>
int guarded(const char* name, Call call) {
    enter(name);
    try {
        call();
    } catch (const ::std::bad_alloc& error) {
        return failed(OUT_OF_MEMORY, &typeid(error), error.what());
    } catch (const ::std::exception& error) {
        return failed(THREW, &typeid(error), error.what());
    } catch (const char* text) {
        return failed(THREW, nullptr, text);
    } catch (const ::std::string& text) {
        return failed(THREW, nullptr, text.c_str());
    } catch (...) {
        return failed(THREW, nullptr, "an exception that is no std::exception");
    }
    enter(nullptr);
    flush();  // what comes next may end the process
    return ENDED_WELL;
}

}  // namespace firebox

// Which code of this shared object is which line of the agent's files: the table that the build made
// (see lines.py), looked into by a signal's handler. Included by one file of each object, in C or C++.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct Row {
    uint32_t offset;  // where in the shared object the line's code begins
    uint32_t name;    // where in the table's names its file's name begins
    uint32_t line;    // 0: no line of the agent's
};

extern const char object_start[] __asm__("__ehdr_start") __attribute__((visibility("hidden")));

static const struct Row *rows;
static size_t row_count;
static const char *row_names;

// The line at an address; null outside of the agent's files.
static const struct Row *row_of(uintptr_t address) {
    uintptr_t base = (uintptr_t)object_start;
    size_t low = 0, high = row_count;
    if (address < base || !row_count || address - base < rows[0].offset) {
        return NULL;
    }
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (rows[middle].offset <= address - base) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return rows[low].line ? &rows[low] : NULL;
}

// The Python half keeps the memory.
static void take_rows(const void *table, size_t count, const char *names) {
    rows = (const struct Row *)table;
    row_names = names;
    row_count = count;
}

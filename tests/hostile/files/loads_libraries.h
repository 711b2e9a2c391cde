/*
 * Loads libraries.
 *
 * Verdict: contained
 */
#include <dlfcn.h>

#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        for (const char* name : {"/usr/lib/x86_64-linux-gnu/libc.so.6", "/bin/sh", "libcrypt.so.1", "./x.so"}) {
            void* loaded = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
            refused(name, loaded && !dlopen(name, RTLD_NOW | RTLD_NOLOAD) ? 0 : -1);
        }
        return nullptr;
    }
};

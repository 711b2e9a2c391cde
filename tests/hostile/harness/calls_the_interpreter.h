/*
 * Has the interpreter that it runs in do what it cannot.
 *
 * Verdict: contained
 */
#include <dlfcn.h>

#include "hostile.h"

static const char ATTEMPTS[] = R"(
import os, sys

def refused(what, attempt, *arguments):
    try:
        got = attempt(*arguments)
    except (OSError, ImportError):
        return
    raise AssertionError(f"{what}: {got!r}")

for path in ("/", "/etc/passwd", "/proc/self/maps", "/proc/1/environ", "/opt/firebox", "/tmp/x"):
    refused(path, os.open, path, os.O_RDONLY)
    refused(path, os.listdir, path)
    refused(path, os.open, path, os.O_WRONLY | os.O_CREAT)
refused("kill", os.kill, 1, 9)
refused("pipe", os.pipe)

def sockets():
    import socket
    return socket.socket()

refused("socket", sockets)
)";

class Player : public Hostile {
protected:
    Event* attack() {
        auto run = reinterpret_cast<int (*)(const char*)>(dlsym(RTLD_DEFAULT, "PyRun_SimpleString"));
        if (!run) {
            return nullptr;
        }
        if (run(ATTEMPTS) != 0) {
            escaped("the interpreter reached something");
        }
        return nullptr;
    }
};

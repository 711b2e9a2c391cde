/*
 * Reads and writes files that are none of its business.
 *
 * Verdict: contained
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        unreadable({
            "/etc/passwd", "/etc/ld.so.preload", "/proc/self/mem", "/proc/self/maps",
            "/proc/self/environ", "/proc/1/environ", "/proc/1/root", "/sys/kernel", "/dev/mem", "/dev/shm/x",
            "/tmp/x", "/x", "/run/docker.sock", "/opt/firebox/sandbox/inside/supervisor.py",
            "/usr/bin/python3", "Player.h.txt", "../agent/x",
        });
        return nullptr;
    }
};

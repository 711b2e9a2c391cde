/*
 * Opens sockets of all families, and pairs of them.
 *
 * Verdict: contained
 */
#include <sys/socket.h>

#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        for (int family = 0; family < 46; family++) {
            for (int type : {SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET}) {
                refused("socket", socket(family, type, 0));
            }
        }
        int pair[2];
        refused("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
        denied({SYS_connect, SYS_bind, SYS_listen, SYS_accept4, SYS_sendto, SYS_sendmsg, SYS_recvmsg});
        return nullptr;
    }
};

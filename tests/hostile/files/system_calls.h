/*
 * Makes calls that no agent needs.
 *
 * Verdict: contained
 */
#include "hostile.h"

class Player : public Hostile {
protected:
    Event* attack() {
        denied({
            SYS_kill, SYS_tkill, SYS_tgkill, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev,
            SYS_pidfd_open, SYS_prctl, SYS_seccomp, SYS_mount, SYS_umount2, SYS_unshare, SYS_setns,
            SYS_chroot, SYS_pivot_root, SYS_mknodat, SYS_reboot, SYS_syslog, SYS_settimeofday,
            SYS_setuid, SYS_setsid, SYS_sched_setaffinity, SYS_setpriority, SYS_keyctl, SYS_add_key, SYS_bpf,
            SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup, SYS_inotify_init1, SYS_flock,
            SYS_personality, SYS_mincore, SYS_pipe2, SYS_eventfd2, SYS_setrlimit, SYS_capset,
        });
        return nullptr;
    }
};

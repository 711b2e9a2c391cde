"""Changes the file systems it sees, and the name spaces it lives in.

Verdict: contained
"""

from hostile import Hostile, denied


class Mounts(Hostile):
    def attack(self, observation):
        denied("mount", "umount2", "pivot_root", "chroot", "unshare", "setns", "mknodat")
        denied("open_tree", "move_mount", "fsopen", "listmount", "statmount")
        denied("name_to_handle_at", "open_by_handle_at", "swapon", "swapoff", "quotactl")

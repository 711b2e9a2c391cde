"""Makes, moves, links, truncates and re-labels files.

Verdict: contained
"""

import os

from hostile import Hostile, refused

AGENT = "/agent/agent.py"


class ChangesFiles(Hostile):
    def attack(self, observation):
        refused("mkdir", os.mkdir, "/tmp/x")
        refused("mkfifo", os.mkfifo, "/tmp/fifo")
        refused("mknod", os.mknod, "/tmp/null", 0o20666, os.makedev(1, 3))
        refused("symlink", os.symlink, "/etc/passwd", "/agent/link")
        refused("link", os.link, AGENT, "/agent/link")
        refused("rename", os.rename, AGENT, "/agent/old.py")
        refused("unlink", os.unlink, AGENT)
        refused("truncate", os.truncate, AGENT, 0)
        refused("chmod", os.chmod, AGENT, 0o777)
        refused("chown", os.chown, AGENT, 0, 0)
        refused("utime", os.utime, AGENT)
        refused("setxattr", os.setxattr, AGENT, "user.note", b"1")
        refused("chdir", os.chdir, "/usr/lib")
        refused("chroot", os.chroot, "/agent")

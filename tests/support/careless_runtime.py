"""An OCI runtime that forgets one part of what Docker orders, so that a probe must notice.

Written as a program of its own, which Docker starts in the place of runc: before a container is
created it takes one element out of the container's configuration. Which one, a file says.
"""

import stat
import sys
from pathlib import Path
from typing import Final

_PROGRAM: Final = """\
#!{python}
import json, os, sys

def forget(config, what):
    process, linux = config["process"], config["linux"]
    resources = linux["resources"]
    if what == "seccomp":
        linux.pop("seccomp")
    elif what == "no new privileges":  # without them only a process with capabilities may filter
        process["noNewPrivileges"] = False
        linux.pop("seccomp")
    elif what == "capabilities":
        process["capabilities"] = {{kind: ["CAP_NET_RAW"] for kind in ("bounding", "permitted",
            "effective", "inheritable", "ambient")}}
    elif what == "read-only root":
        config["root"]["readonly"] = False
    elif what == "read-only mounts":
        for mount in config["mounts"]:
            if mount["destination"] == "/agent":
                mount["options"] = [option for option in mount["options"] if option != "ro"]
    elif what == "user":
        process["user"] = {{"uid": 1 << 30, "gid": 1 << 30}}
    elif what == "network":
        linux.pop("sysctl", None)
        linux["namespaces"] = [space for space in linux["namespaces"] if space["type"] != "network"]
    elif what == "ipc":
        linux["namespaces"] = [space for space in linux["namespaces"] if space["type"] != "ipc"]
    elif what == "shared memory":
        config["mounts"].append({{"destination": "/dev/shm", "type": "tmpfs", "source": "shm",
            "options": ["nosuid", "noexec", "nodev", "mode=1777", "size=1024k"]}})
    elif what == "memory":
        resources["memory"].update(limit=1 << 30, swap=1 << 30)
    elif what == "swap":
        resources["memory"]["swap"] = 1 << 31
    elif what == "pids":
        resources["pids"]["limit"] = 1000
    elif what == "cpuset":
        resources["cpu"].pop("cpus")
    elif what == "weight":
        resources["cpu"].pop("shares")
    elif what == "ulimits":
        process["rlimits"] = []
    elif what == "oom score":
        process["oomScoreAdj"] = 0
    elif what == "environment":
        process["env"].append("SECRET=1")
    else:
        assert what == "nothing", what

if "--bundle" in sys.argv and "create" in sys.argv:
    path = os.path.join(sys.argv[sys.argv.index("--bundle") + 1], "config.json")
    with open(path) as file:
        config = json.load(file)
    with open({order!r}) as file:
        forget(config, file.read())
    with open(path, "w") as file:
        json.dump(config, file)
os.execvp("runc", ["runc", *sys.argv[1:]])
"""


class CarelessRuntime:
    """The program, and the file that tells it what to forget."""

    def __init__(self, directory: Path) -> None:
        self.path = directory / "careless"
        self._order = directory / "forget"
        self.path.write_text(_PROGRAM.format(python=sys.executable, order=str(self._order)))
        self.path.chmod(self.path.stat().st_mode | stat.S_IXUSR)
        self.forget("nothing")

    def forget(self, what: str) -> None:
        """Leave this out of every container from now on."""
        self._order.write_text(what)

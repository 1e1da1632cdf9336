"""The program itself: ``python -m tallyboard`` does what ``tallyboard`` does."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig


def program() -> str:
    """Where the program of this installation is."""
    name = "tallyboard" + (sysconfig.get_config_var("EXE") or "")
    schemes = ["", f"{os.name}_user"]
    folders = [sysconfig.get_path("scripts", scheme) if scheme else sysconfig.get_path("scripts") for scheme in schemes]
    for folder in folders:
        path = os.path.join(folder, name)
        if os.access(path, os.X_OK):
            return path
    found = shutil.which("tallyboard")
    if found is None:
        raise FileNotFoundError(f"the program {name} is in none of {', '.join(folders)} and not in PATH")
    return found


if __name__ == "__main__":
    path = program()
    os.execv(path, [path, *sys.argv[1:]])

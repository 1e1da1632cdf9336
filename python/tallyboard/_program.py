"""Finds the program of this installation."""

from __future__ import annotations

import os
import shutil
import sysconfig


def program() -> str:
    """The path of the program."""
    name = "tallyboard" + (sysconfig.get_config_var("EXE") or "")
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user")]
    for folder in folders:
        path = os.path.join(folder, name)
        if os.access(path, os.X_OK):
            return path
    found = shutil.which("tallyboard")
    if found is None:
        raise FileNotFoundError(
            f"{name} is neither in {' nor in '.join(folders)} nor in PATH: `pip install ./python` installs it, "
            "`maturin build` and `maturin develop` leave it out"
        )
    return found

"""The build backend that pip asks for a wheel: maturin, with the program put in first."""

import shutil
import subprocess
import sysconfig
from pathlib import Path

import maturin

HERE = Path(__file__).resolve().parent


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    target = HERE.parent / "target"
    build = ["cargo", "build", "--release", "--locked", "--bin", "tallyboard", "--target-dir", target]
    subprocess.run(build, cwd=HERE.parent, check=True)
    scripts = HERE / "program" / "scripts"
    shutil.rmtree(scripts, ignore_errors=True)
    scripts.mkdir(parents=True)
    name = "tallyboard" + (sysconfig.get_config_var("EXE") or "")
    shutil.copy2(target / "release" / name, scripts)
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("the library is outside of this folder: build from a clone of the repository")

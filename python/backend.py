"""The build backend that pip asks for a wheel: maturin, with the program put in first."""

import os
import shutil
import subprocess
import sysconfig
from pathlib import Path

import maturin

HERE = Path(__file__).resolve().parent


def _put_program_in():
    target = HERE.parent / "target"
    build = ["cargo", "build", "--release", "--locked", "--bin", "tallyboard", "--target-dir", target]
    environment = {name: value for name, value in os.environ.items() if name != "CARGO_BUILD_TARGET"}
    subprocess.run(build, cwd=HERE.parent, check=True, env=environment)
    scripts = HERE / "program" / "scripts"
    shutil.rmtree(scripts, ignore_errors=True)
    scripts.mkdir(parents=True)
    name = "tallyboard" + (sysconfig.get_config_var("EXE") or "")
    shutil.copy2(target / "release" / name, scripts)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    _put_program_in()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    _put_program_in()
    return maturin.build_editable(wheel_directory, config_settings, metadata_directory)


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("the library is outside of this folder: build from a clone of the repository")

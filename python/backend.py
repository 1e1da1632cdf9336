"""The build backend for pip: maturin builds the wheel, then the program is added to it as a script.

`maturin build` and `maturin develop` by themselves make the package without the program.
"""

import base64
import hashlib
import os
import subprocess
import sysconfig
import zipfile
from pathlib import Path

import maturin

HERE = Path(__file__).resolve().parent
# The folder of the crate: the one above in a clone, this folder itself in a source distribution.
CRATE = HERE if (HERE / "src" / "main.rs").exists() else HERE.parent


def _features(config_settings):
    """The features to build with, unless ``pip install -C parquet=no`` leaves Parquet out, which halves the time.

    The program reads Parquet. The library does not, but crates with other features would be compiled once more for it.
    """
    wanted = (config_settings or {}).get("parquet", "yes")
    if wanted not in ("yes", "no"):
        raise ValueError(f"found parquet={wanted!r} among the config settings, expected yes or no")
    return ["--features", "tallyboard/parquet"] if wanted == "yes" else []


def _program(features):
    target = Path(os.environ.get("CARGO_TARGET_DIR", CRATE / "target"))
    # Its symbols would be a third of the wheel.
    strip = 'profile.release.package.tallyboard.strip="symbols"'
    # The package of the library is named for the features that it asks of others, which the program's crates have with it.
    packages = ["--package", "tallyboard", "--package", "tallyboard-python", "--bin", "tallyboard"]
    build = ["cargo", "build", "--release", "--locked", "--config", strip, *packages, *features, "--target-dir", target]
    environment = {name: value for name, value in os.environ.items() if name != "CARGO_BUILD_TARGET"}
    subprocess.run(build, cwd=CRATE, check=True, env=environment)
    return target / "release" / ("tallyboard" + (sysconfig.get_config_var("EXE") or ""))


def _with_features(config_settings):
    own = {name: value for name, value in (config_settings or {}).items() if name != "parquet"}
    settings = {name: value for name, value in own.items() if not name.endswith("build-args")}
    return settings | {"build-args": [*maturin.get_maturin_pep517_args(own), *_features(config_settings)]}


def add_script(wheel, script):
    """Adds the file `script` to `wheel` as a script, and to the wheel's list of files."""
    wheel, content = Path(wheel), script.read_bytes()
    name_and_version = "-".join(wheel.name.split("-")[:2])
    place, record = f"{name_and_version}.data/scripts/{script.name}", f"{name_and_version}.dist-info/RECORD"
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    line = f"{place},sha256={digest},{len(content)}\n".encode()
    entry = zipfile.ZipInfo(place)
    entry.external_attr, entry.compress_type = 0o100755 << 16, zipfile.ZIP_DEFLATED
    new_wheel = wheel.with_suffix(".part")
    with zipfile.ZipFile(wheel) as old, zipfile.ZipFile(new_wheel, "w") as new:
        for info in old.infolist():
            new.writestr(info, (line if info.filename == record else b"") + old.read(info))
        new.writestr(entry, content)
    new_wheel.replace(wheel)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = maturin.build_wheel(wheel_directory, _with_features(config_settings), metadata_directory)
    add_script(Path(wheel_directory) / name, _program(_features(config_settings)))
    return name


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    name = maturin.build_editable(wheel_directory, _with_features(config_settings), metadata_directory)
    add_script(Path(wheel_directory) / name, _program(_features(config_settings)))
    return name


# Without these pip would build the wheel to learn its metadata, and say so for minutes.
def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    return maturin.prepare_metadata_for_build_wheel(metadata_directory, _with_features(config_settings))


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def build_sdist(sdist_directory, config_settings=None):
    return maturin.build_sdist(sdist_directory, config_settings)

"""The build backend hands pip's questions on to maturin, with the features that are asked for."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

BACKEND = Path(__file__).parents[1] / "backend.py"


class _Maturin(ModuleType):
    """What the backend asks of maturin: each call with its settings."""

    def __init__(self) -> None:
        super().__init__("maturin")
        self.calls: list[tuple[str, object]] = []

    def get_maturin_pep517_args(self, settings: dict[str, str]) -> list[str]:
        assert "parquet" not in settings
        return settings.get("build-args", "").split()

    def prepare_metadata_for_build_wheel(self, folder: str, settings: object) -> str:
        self.calls.append((folder, settings))
        return "tallyboard.dist-info"


@pytest.fixture()
def backend(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    if not BACKEND.exists():
        pytest.skip("an installed package has no backend")
    monkeypatch.setitem(sys.modules, "maturin", _Maturin())
    spec = importlib.util.spec_from_file_location("backend", BACKEND)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_metadata_is_made_without_a_build(backend: ModuleType) -> None:
    for hook in (backend.prepare_metadata_for_build_wheel, backend.prepare_metadata_for_build_editable):
        assert hook("folder", {"build-args": "--offline"}) == "tallyboard.dist-info"
        with_parquet = {"build-args": ["--offline", "--features", "tallyboard/parquet"]}
        assert backend.maturin.calls.pop() == ("folder", with_parquet)


def test_parquet_can_be_left_out(backend: ModuleType) -> None:
    assert backend.prepare_metadata_for_build_wheel("folder", {"parquet": "no"})
    assert backend.maturin.calls.pop() == ("folder", {"build-args": []})
    with pytest.raises(ValueError, match="expected yes or no"):
        backend.prepare_metadata_for_build_wheel("folder", {"parquet": "maybe"})

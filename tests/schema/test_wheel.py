"""The wheel alone gives a DBA everything."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from byssus import assets, schema

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def unpacked_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("wheel")
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(directory), versions=["standard"])
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(directory / "unpacked")
    return directory / "unpacked"


def test_the_wheel_carries_every_sql_file_and_revision(unpacked_wheel: Path) -> None:
    for name in ("sql", "procedures", "migrations"):
        root = assets.path(name)
        shipped = {path.relative_to(root) for path in root.rglob("*") if path.suffix in (".sql", ".py")}
        carried = unpacked_wheel / "byssus" / "assets" / name
        assert {path.relative_to(carried) for path in carried.rglob("*") if path.is_file()} == shipped


def test_an_installed_wheel_renders_the_same_script(unpacked_wheel: Path) -> None:
    program = "from byssus import schema; print(schema.script('postgresql'), end='')"
    environment = {"PYTHONPATH": str(unpacked_wheel)}
    rendered = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
    )
    assert rendered.stdout == schema.script("postgresql")

import os
import pathlib

import pytest

import goren

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def root():
    """The repository."""
    return ROOT


@pytest.fixture(scope="session")
def tool():
    """The command-line tool, if `GOREN` names one."""
    path = os.environ.get("GOREN")
    if not path:
        pytest.skip("GOREN names no tool")
    return path


@pytest.fixture()
def engine():
    return goren.Engine(memory=16)

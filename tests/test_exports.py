"""What the package offers is listed, in order, and there."""

import importlib
import pkgutil
import subprocess
import sys
from types import FunctionType, ModuleType

import pytest

import videodp


def _modules() -> list[str]:
    found = pkgutil.walk_packages(videodp.__path__, "videodp.")
    return ["videodp", *(module.name for module in found if not module.name.endswith("__main__"))]


def _own_names(module: ModuleType) -> set[str]:
    """Public functions and classes that are written in this very module."""
    return {
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and getattr(value, "__module__", None) == module.__name__
        and (callable(value) or isinstance(value, type))
    }


def _order(name: str) -> tuple[int, str]:
    """Constants, classes, functions, as everywhere in this code."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


@pytest.mark.parametrize("name", _modules())
def test_exports(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__, "a module says what it is for"
    exports = getattr(module, "__all__", None)
    if exports is None:
        assert not _own_names(module), "a module with public names lists them"
        return
    assert list(exports) == sorted(exports, key=_order)
    assert len(set(exports)) == len(exports)
    assert [export for export in exports if not hasattr(module, export)] == []
    for value in (getattr(module, export) for export in exports):
        assert value.__doc__ or not isinstance(value, type | FunctionType), value


def test_everything_can_be_imported_at_once() -> None:
    names: dict[str, object] = {}
    exec("from videodp import *", names)
    assert set(videodp.__all__) <= set(names)
    assert "publish" in names


LAZY = """
import sys, videodp
assert set(videodp.__all__) <= set(dir(videodp))
assert "numpy" not in sys.modules, "loaded before it is asked for"
import videodp.publish, videodp.compare
assert callable(videodp.publish), "hidden by the module of its name"
assert callable(videodp.compare), "hidden by the module of its name"
assert videodp.errors.UsageError.__name__ == "UsageError"
assert not hasattr(videodp, "unicorn")
"""


def test_the_package_loads_what_is_asked_for() -> None:
    done = subprocess.run([sys.executable, "-c", LAZY], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_import_of_the_package_is_offered() -> None:
    offered = {name for name in vars(importlib.import_module("videodp.api")) if name[0] != "_"}
    assert offered == set(videodp.__all__) - {"__version__"}

"""VideoDP: private videos that anyone may analyse."""

import importlib
import importlib.util
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from videodp.api import *

__version__ = "0.1.0"

__all__ = [
    "Comparison",
    "Elements",
    "Encoding",
    "FindSettings",
    "Footage",
    "Look",
    "Published",
    "Settings",
    "Video",
    "VideoDPError",
    "__version__",
    "analyse",
    "as_table",
    "ask",
    "compare",
    "find_elements",
    "load_elements",
    "open_footage",
    "probe",
    "publish",
    "sql",
    "write_preview",
]


class _Package(ModuleType):
    """Loads what it offers when that is first asked for: loading all takes a second or two.

    A command has to be ready for ctrl-C before that.
    """

    def __getattr__(self, name: str) -> Any:
        if name in __all__:
            return getattr(importlib.import_module("videodp.api"), name)
        if importlib.util.find_spec(f"{__name__}.{name}"):
            return importlib.import_module(f"{__name__}.{name}")
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *__all__})  # for whoever presses tab

    def __setattr__(self, name: str, value: Any) -> None:
        # Importing a submodule sets it here, but `publish` and `compare` are the functions.
        if not (isinstance(value, ModuleType) and name in __all__):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package

"""The command line: arguments to calls, nothing else."""

from videodp.cli.main import app, main

__all__ = ["app", "main"]

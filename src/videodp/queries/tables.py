"""Result tables: columns of numbers to Arrow, with what is not known left empty."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa

__all__ = ["table_of"]


def table_of(schema: pa.Schema, columns: dict[str, Iterable[object]]) -> pa.Table:
    """A table with exactly the columns of the schema; what is not a number is null."""
    arrays = []
    for field in schema:
        values = columns[field.name]
        missing = None
        if isinstance(values, np.ndarray) and values.dtype.kind == "f":
            missing = ~np.isfinite(values)
        arrays.append(pa.array(values, field.type, mask=missing))
    return pa.table(arrays, schema=schema)

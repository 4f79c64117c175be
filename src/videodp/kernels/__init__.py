"""Numba kernels: arrays in, arrays out, no domain object. Each has an oracle in the tests."""

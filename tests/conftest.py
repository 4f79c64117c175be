"""What holds for all tests."""

from hypothesis import settings

# Machines are noisy, so no example has a deadline; seeds are fixed, so a test that passes passes.
settings.register_profile("videodp", deadline=None, derandomize=True)
settings.load_profile("videodp")

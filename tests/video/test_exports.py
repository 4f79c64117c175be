"""What `videodp.video` offers is there, and listed in order."""

from videodp import video


def test_exports_are_sorted_and_exist() -> None:
    assert video.__all__ == sorted(video.__all__)
    assert all(hasattr(video, name) for name in video.__all__)

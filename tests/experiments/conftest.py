"""One tiny street on which everything was tried."""

from pathlib import Path

import pytest

from helpers import new_folder
from videodp.experiments import Trial, run_experiments
from videodp.scenes import SceneSpec, truth_file, write_scene

TRIAL = Trial(seeds=2, detector="motion", epsilons=(0.8, 1.6, 2.4), ks=(4, 5, 6, 30))


@pytest.fixture(scope="session")
def street() -> Path:
    video = new_folder() / "street.mp4"
    write_scene(SceneSpec(160, 96, frames=12, people=5, vehicles=2), video)
    return video


@pytest.fixture(scope="session")
def tried(street: Path) -> Path:
    """The folder of a whole run."""
    folder = new_folder() / "tried"
    run_experiments(street, truth_file(street), folder, TRIAL)
    return folder

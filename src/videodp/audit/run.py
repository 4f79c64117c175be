"""Audits of the two mechanisms, as ``videodp audit`` runs them."""

from __future__ import annotations

import secrets
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from videodp.audit.broken import BROKEN
from videodp.audit.crowd import canaries, crowd
from videodp.audit.judge import judge
from videodp.audit.model import Audit, Trial
from videodp.audit.pictures import picture_trial, streets
from videodp.audit.populations import population_trial
from videodp.audit.sampling import draw_trial, person_promise, plan_trial
from videodp.audit.street import CANARIES
from videodp.audit.synthesis import Recording, summary_trial
from videodp.census import take_census
from videodp.elements import load_elements
from videodp.errors import UsageError
from videodp.plan import check_epsilon, make_plan
from videodp.privacy.noise import Noise, RepeatableNoise, SecureNoise
from videodp.render import Look
from videodp.stages import Stages, Watcher
from videodp.synthesis.records import records_of
from videodp.synthesis.settings import SynthesisSettings
from videodp.synthesis.summary import release
from videodp.video import probe

__all__ = ["READ_AS_DP", "audit_sampling", "audit_synthesis"]

READ_AS_DP = "epsilon-dp"
"""Sampling under a claim that nobody makes."""

_NOT_CLAIMED = (
    "Lines in brackets are readings that nobody claims. Pixel sampling is not "
    "epsilon-differentially private: an attacker who sees one true pixel is certain, and no "
    "epsilon describes that."
)
_NOT_CHARGED = (
    "Which colours are drawn, and how many, is chosen from the video and not charged: planned anew "
    "without the canary, the draws of others differ, and an attacker who knows all the rest of the "
    "video can tell. The statement says so."
)
_HOLES = (
    "The place of an unpublished canary can be told from the empty street by somebody who knows "
    "that street to the last grain: under retain because the hole is filled in, under plate "
    "because the plate is the median of the frames in which nobody stood there."
)
_PLATE = (
    "The video is painted from the population and a plate that is public: it can tell no more. "
    "A plate that was made from the recording depends on who was where, and is assumed not to be "
    "sensitive: what it tells is not audited."
)


def audit_sampling(
    epsilon: float = 0.8,
    *,
    video: str | Path | None = None,
    elements: str | Path | None = None,
    tracks_per_person: int = 1,
    runs: int = 20_000,
    pictures: int = 100,
    confidence: float = 0.99,
    seed: int | None = None,
    broken: str | None = None,
    watcher: Watcher | None = None,
) -> Audit:
    """Attacks pixel sampling: draws of a painted street or of a video, and finished pictures.

    Args:
        epsilon: of the plan.
        video: a recording; without one a small street is painted, with made-up canaries in it.
        elements: who is in the recording; some of them serve as canaries.
        tracks_per_person: identities that one person may have; needs a recording.
        runs: draws with each canary, and as many without.
        pictures: published videos with the first canary of the painted street; 0 for none.
        confidence: of the verdict.
        seed: repeats the audit; without one draws come from the operating system.
        broken: `READ_AS_DP`, to claim epsilon-differential privacy.
        watcher: told about progress.
    """
    check_epsilon(epsilon)
    if tracks_per_person < 1:
        raise UsageError(f"tracks per person must be at least 1, not {tracks_per_person}")
    if tracks_per_person > 1 and (video is None or elements is None):
        raise UsageError(
            "nobody in the painted street has two tracks: give --video and --elements as well"
        )
    if broken not in (None, READ_AS_DP):
        raise UsageError(f"no broken sampling '{broken}': use {READ_AS_DP}")
    how = {"read_as_dp": broken is not None, "seeded": seed is not None}
    claim = (
        f"sampling is {epsilon:g}-differentially private"
        if broken
        else f"an element is exposed with probability {-np.expm1(-epsilon):.3f} at most; if it is "
        "not, the draws are as if it had never been there"
    )
    with ExitStack() as stack:
        if video is None or elements is None:
            trials = _painted(stack, epsilon, runs, pictures, how)
            notes = (_NOT_CLAIMED, _NOT_CHARGED, *((_HOLES,) if pictures else ()))
        else:
            trials = _recorded(video, elements, epsilon, tracks_per_person, runs, how)
            notes = (_NOT_CLAIMED,)
        return _judged("sampling", claim, trials, runs, confidence, seed, notes, watcher)


def audit_synthesis(
    epsilon: float = 1.0,
    *,
    video: str | Path | None = None,
    elements: str | Path | None = None,
    tracks_per_person: int = 1,
    runs: int = 20_000,
    populations: int = 100,
    confidence: float = 0.99,
    seed: int | None = None,
    secure: bool = False,
    broken: str | None = None,
    watcher: Watcher | None = None,
) -> Audit:
    """Attacks the noisy summary of synthesis, the only thing that depends on anybody.

    Args:
        epsilon: of everything together.
        video: a recording whose people are the crowd; without one a crowd is made up.
        elements: who is in the recording.
        tracks_per_person: how many tracks a canary has, and the noise is made for.
        runs: releases with each canary, and as many without.
        populations: finished populations with the first canary; 0 for none.
        confidence: of the verdict.
        seed: repeats the audit.
        secure: noise from OpenDP and the operating system, as in a release: a hundred times slower.
        broken: name of a mechanism that is broken on purpose (`BROKEN`).
        watcher: told about progress.
    """
    if broken is not None and broken not in BROKEN:
        raise UsageError(f"no broken synthesis '{broken}': use {', '.join(BROKEN)}")
    if broken == "one-track" and tracks_per_person == 1:
        tracks_per_person = 2
    settings = SynthesisSettings(epsilon, tracks_per_person=tracks_per_person)
    if video is None or elements is None:
        recording = crowd(settings)
    else:
        recording = _recording(video, elements, settings)
    mechanism = BROKEN[broken] if broken else release
    made = canaries(recording, settings)

    def noise(world: int) -> Noise:
        return SecureNoise() if secure else RepeatableNoise(world)

    trials = [
        summary_trial(name, recording, canary, settings, noise, mechanism)
        for name, canary in made.items()
    ]
    if populations:
        name, canary = next(iter(made.items()))
        trials.append(
            population_trial(name, recording, canary, settings, noise, mechanism, runs=populations)
        )
    claim = f"synthesis is {epsilon:g}-differentially private, and each histogram keeps its share"
    title = f"synthesis ({broken})" if broken else "synthesis"
    return _judged(title, claim, trials, runs, confidence, seed, (_PLATE,), watcher)


def _judged(
    mechanism: str,
    claim: str,
    trials: list[Trial],
    runs: int,
    confidence: float,
    seed: int | None,
    notes: tuple[str, ...],
    watcher: Watcher | None,
) -> Audit:
    with Stages(watcher).stage("audit", 2 * len(trials)) as step:
        return judge(
            mechanism,
            claim,
            trials,
            runs=runs,
            confidence=confidence,
            seed=secrets.randbits(63) if seed is None else seed,
            notes=notes,
            progress=step,
        )


def _painted(
    stack: ExitStack, epsilon: float, runs: int, pictures: int, how: dict[str, bool]
) -> list[Trial]:
    trials = []
    for number, canary in enumerate(CANARIES):
        worlds = stack.enter_context(streets(canary, epsilon))
        place = worlds[0].canary
        assert place is not None
        plans = (worlds[0].plan, worlds[1].plan)
        trials.append(draw_trial(canary.name, plans[0], place, runs, **how))
        trials.append(plan_trial(canary.name, plans, place, seeded=how["seeded"]))
        if pictures and number == 0:
            trials += [
                picture_trial(canary.name, worlds, Look(look), pictures, **how)
                for look in ("retain", "plate")
            ]
    return trials


def _recorded(
    video: str | Path,
    elements: str | Path,
    epsilon: float,
    tracks: int,
    runs: int,
    how: dict[str, bool],
) -> list[Trial]:
    """The elements with the largest and the smallest loss, and the one with fewest pixels."""
    recording = probe(video)
    listed = load_elements(elements, recording)
    if not len(listed):
        raise UsageError(f"{elements} lists nobody: there is nothing to audit")
    with TemporaryDirectory(prefix="videodp-") as store:
        census = take_census(recording, listed, Path(store))
        plan = make_plan(census, epsilon / tracks, tracks_per_person=tracks)
    chosen = [
        int(np.argmax(plan.losses)),
        int(np.argmin(plan.losses)),
        int(np.argmin(census.pixels)),
    ]
    trials = []
    for one in dict.fromkeys(chosen):
        trial = draw_trial(f"element {one + 1}", plan, one, runs, **how)
        if tracks > 1:
            promises = (*trial.promises, person_promise(plan, one, tracks))
            trial = replace(trial, promises=promises)
        trials.append(trial)
    return trials


def _recording(video: str | Path, elements: str | Path, settings: SynthesisSettings) -> Recording:
    filmed = probe(video)
    size = (filmed.width, filmed.height)
    listed = load_elements(elements, filmed)
    records = records_of(listed, size, filmed.frames, filmed.rate, settings.grid)
    return Recording(records, size, filmed.frames, filmed.rate)

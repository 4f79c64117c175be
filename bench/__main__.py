"""Measures, prints a table, and writes bench/RESULTS.md."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bench.asking import STATEMENTS, crowd, private_of
from bench.clips import LONG, PAPER, SHORT, clip
from videodp.elements.detect import find_model

REPEATS = 3
RESULTS = Path(__file__).with_name("RESULTS.md")


@dataclass(frozen=True)
class Run:
    """One measured run."""

    frames: int
    seconds: float
    memory_mb: float

    @property
    def rate(self) -> float:
        """Frames per second."""
        return self.frames / self.seconds


def run(job: str, *files: Path) -> Run:
    """Runs a job in a new process."""
    command = [sys.executable, "-m", "bench.jobs", job, *map(str, files)]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return Run(**json.loads(output.splitlines()[-1]))


def pairs(video: Path, elements: Path) -> list[tuple[Run, Run]]:
    """Baseline and publish in turn, so that both see the same machine."""
    return [(run("transcode", video), run("publish", video, elements)) for _ in range(REPEATS)]


def find_rows(short: Path, paper: Path, base: Run) -> list[str]:
    """Finding, and all of it, beside decoding and encoding, and beside deface where it is."""
    run("find", short)  # compiles the kernels
    found, whole = run("find", paper), run("whole", paper)
    alone = f"decode and encode alone: {base.rate:.1f} frames/s"
    rows = [
        f"| find, 1080p, 1050 frames, 83 people, {_detector()} | {found.rate:.1f} frames/s | "
        f"{alone} | x {found.rate / base.rate:.2f} as fast |",
        f"| find and publish, the same | {whole.rate:.1f} frames/s, {whole.seconds:.0f} s | "
        f"{alone}; the paper: 0.9 | x {whole.rate / base.rate:.2f} as fast |",
    ]
    if "DEFACE" in os.environ:
        ours, faces = run("whole", short), run("deface", short)
        rows.append(
            f"| find and publish, 1080p, 300 frames, 24 people | {ours.rate:.1f} frames/s | "
            f"deface, faces only, the same codec: {faces.rate:.1f} frames/s | "
            f"x {ours.rate / faces.rate:.1f} as fast |"
        )
    return rows


def _detector() -> str:
    return "what moves only" if find_model("yolox-nano") is None else "YOLOX-nano and what moves"


def asking(video: Path, elements: Path) -> list[str]:
    """The same query on an original and its private video; SQL on an hour of a crowd."""
    private, table = private_of(video, elements), crowd()
    turns = [(run("ask", video), run("ask", private)) for _ in range(REPEATS)]
    ratios = [theirs.seconds / ours.seconds for ours, theirs in turns]
    slowest = max(
        min(run("question", table, Path(str(i))).seconds for _ in range(REPEATS))
        for i in range(len(STATEMENTS))
    )
    return [
        f"| RGB histogram of a private video, 1080p, 300 frames | {turns[0][1].seconds:.2f} s | "
        f"the original: {turns[0][0].seconds:.2f} s | time x {_spread(ratios)} |",
        f"| SQL on an hour, 10,000 tracks, 5 million detections | {slowest:.2f} s, the slowest of "
        f"{len(STATEMENTS)}, opening included | asked for: 1 s | x {slowest:.2f} |",
    ]


def publish_rows(short: tuple[Path, Path], measured: list[tuple[Run, Run]]) -> list[str]:
    """Publishing beside decoding and encoding alone; both mechanisms; memory."""
    base, ours = measured[0]
    synthesis, painted = run("synthesise", *short), run("paint", short[0])
    paper = clip(PAPER)
    paper_base, paper_ours = run("transcode", *paper[:1]), run("publish", *paper)
    long, decoded = run("publish", *clip(LONG)), run("decode", short[0])
    short_memory = max(ours.memory_mb for _, ours in measured)
    alone = f"decode and encode alone: {base.rate:.1f} frames/s"
    return [
        f"| publish, 1080p, 300 frames, 24 people | {ours.rate:.1f} frames/s | {alone} | "
        f"time x {_spread([ours.seconds / base.seconds for base, ours in measured])} |",
        f"| publish by synthesis, the same | {synthesis.rate:.1f} frames/s | by sampling: "
        f"{ours.rate:.1f} frames/s | x {synthesis.rate / ours.rate:.2f} as fast |",
        f"| publish, 1080p, 1050 frames, 83 people | {paper_ours.rate:.1f} frames/s | "
        f"decode and encode alone: {paper_base.rate:.1f} frames/s; the paper: 0.9 with detection | "
        f"time x {paper_ours.seconds / paper_base.seconds:.2f} |",
        f"| peak memory of publish, 1080p, 3000 frames | {long.memory_mb:.0f} MB | "
        f"300 frames: {short_memory:.0f} MB | x {long.memory_mb / short_memory:.2f} |",
        f"| decode to RGB, 1080p, 300 frames | {decoded.rate:.1f} frames/s | {alone} | "
        f"x {decoded.rate / base.rate:.1f} as fast |",
        f"| paint a street, 1080p, 24 people | {painted.rate:.1f} frames/s | {alone} | "
        f"x {painted.rate / base.rate:.2f} as fast |",
    ]


def _spread(ratios: list[float]) -> str:
    ratios = sorted(ratios)
    middle = ratios[len(ratios) // 2]
    return f"{middle:.2f} (of {len(ratios)}: {ratios[0]:.2f} to {ratios[-1]:.2f})"


def main() -> None:
    """Everything, in about ten minutes."""
    short = clip(SHORT)
    run("publish", *short)  # compiles the kernels
    run("synthesise", *short)
    measured = pairs(*short)
    rows = publish_rows(short, measured)
    paper = clip(PAPER)
    rows += find_rows(short[0], paper[0], run("transcode", paper[0]))
    rows += asking(*short)
    machine = f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores"
    table = "\n".join(
        [
            "# Results",
            "",
            f"Measured by `make bench` on {_model()} ({machine}, {platform.system()}, Python "
            f"{platform.python_version()}). Every figure stands beside its baseline, measured in "
            "the same run; machines differ, ratios less so.",
            "",
            "| what | figure | baseline | ratio |",
            "| --- | --- | --- | --- |",
            *rows,
            "",
        ]
    )
    print(table)
    RESULTS.write_text(table, encoding="utf-8")


def _model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


if __name__ == "__main__":
    main()

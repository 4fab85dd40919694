"""Prints the figures and appends them to the history."""

from __future__ import annotations

import csv
import datetime
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from case import Case

HISTORY_FIELDS = (
    *(
        "date",
        "commit",
        "machine",
        "threads",
        "case",
        "unit",
        "tinytf",
        "best_peer",
        "tinytf/best",
        "tinytf/tensorflow",
    ),
    *("target", "met"),
)


@dataclass
class Row:
    """One case: the figures of each peer as costs, so that smaller is better and a ratio below 1 means that tinytf
    wins.
    """

    case: Case
    figures: dict[str, Any]
    threads: int

    def least(self, peer: str) -> float | None:
        """The least cost of a peer, or None if it has none."""
        return self.figures.get(peer, {}).get("min")

    @property
    def best_peer(self) -> str | None:
        """The fastest peer."""
        costs = {
            peer: figures["min"] for peer, figures in self.figures.items() if peer != "tinytf" and "min" in figures
        }
        return min(costs, key=costs.__getitem__) if costs else None

    def ratio(self, peer: str | None) -> float | None:
        """The cost of tinytf divided by that of a peer."""
        own, other = self.least("tinytf"), self.least(peer) if peer else None
        return own / other if own is not None and other else None

    @property
    def met(self) -> str:
        """'yes'; 'ratio' if the target is missed but its ratio to the reference is reached; 'no'; '-' without a
        figure.
        """
        own, case = self.least("tinytf"), self.case
        if own is None:
            return "-"
        beaten = self.ratio(case.better_than)
        if beaten is not None and beaten >= 1:
            return "no"
        target, reference = case.aim(self.threads)
        if own <= case.cost(target):
            return "yes"
        ratio = self.ratio(self.best_peer)
        if reference is not None and ratio is not None and ratio <= case.cost(target) / case.cost(reference):
            return "ratio"
        return "no"


@dataclass
class Result:
    """The rows for one thread count."""

    threads: int
    versions: dict[str, str]
    rows: list[Row] = field(default_factory=list)

    def add(self, case: Case, figures: dict[str, Any]) -> None:
        """Adds the row of a case."""
        self.rows.append(Row(case, figures, self.threads))

    def as_json(self) -> dict[str, Any]:
        """All figures as JSON-compatible values, with costs in seconds (or bytes)."""
        rows = [
            {
                "case": row.case.name,
                "unit": row.case.unit,
                "target": row.case.aim(row.threads)[0],
                "met": row.met,
                "best_peer": row.best_peer,
                "ratio_best": row.ratio(row.best_peer),
                "ratio_tensorflow": row.ratio("tensorflow"),
                "figures": row.figures,
            }
            for row in self.rows
        ]
        return {"threads": self.threads, "machine": machine(), "versions": self.versions, "rows": rows}


def number(value: float | None) -> str:
    """The number with three significant digits, or a dash for None."""
    if value is None:
        return "-"
    if value == 0 or value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


def header(result: Result) -> str:
    """Machine, versions and column headings."""
    peers = [p for p in result.versions if p != "tinytf"]
    versions = ", ".join(f"{peer} {version}" for peer, version in result.versions.items())
    count = f"{result.threads} thread{'s' if result.threads > 1 else ''}"
    heads = f"{'':34}{'unit':8}{'tinytf':>9}{'(median)':>11}" + "".join(f"{peer:>14}" for peer in peers)
    return f"\n{machine()}, {count}: {versions}\n\n{heads}{'/best':>8}{'/TF':>8}{'target':>9}  met"


def row(row: Row, versions: dict[str, str]) -> str:
    """A line of the table: the smallest figure of each peer, and tinytf's median."""
    case = row.case
    shown = lambda cost: None if cost is None else case.shown(cost)  # noqa: E731
    own = row.figures.get("tinytf", {})
    least, median = number(shown(own.get("min"))), number(shown(own.get("median")))
    line = f"{case.title:34}{case.unit:8}{least:>9}{f'({median})':>11}"
    for peer in versions:
        if peer != "tinytf":
            line += f"{number(shown(row.least(peer))):>14}"
    ratios = f"{number(row.ratio(row.best_peer)):>8}{number(row.ratio('tensorflow')):>8}"
    return f"{line}{ratios}{number(case.aim(row.threads)[0]):>9}  {row.met}"


def footer(results: list[Result]) -> str:
    """The legend of the table, the failures, and the number of targets that were met."""
    lines = [
        "",
        "Least figure of all rounds. /best, /TF: time of tinytf over that of the best peer and of TensorFlow; below 1 is",
        "faster. met: 'ratio' where the figure is missed, but not the ratio to the best peer that it stands for.",
    ]
    for result in results:
        for row in result.rows:
            for peer, figures in row.figures.items():
                if "error" in figures:
                    lines.append(f"{row.case.name} on {peer}: {figures['error']}")
        met = sum(row.met in ("yes", "ratio") for row in result.rows)
        lines.append(f"{result.threads} thread(s): {met} of {len(result.rows)} targets met")
    return "\n".join(lines)


def machine() -> str:
    """The processor model and the number of available processors."""
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    return f"{model} x{len(os.sched_getaffinity(0))}"


def _commit() -> str:
    command = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--exclude", "*"]
    found = subprocess.run(command, capture_output=True, text=True)
    return found.stdout.strip() or "-"


def append_history(path: Path, result: Result) -> None:
    """Appends a line per case to the history of ratios."""
    new = not path.exists()
    date, commit, host = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M"), _commit(), machine()
    with open(path, "a", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if new:
            writer.writerow(HISTORY_FIELDS)
        for row in result.rows:
            own = row.least("tinytf")
            if own is None:
                continue
            ratios = [row.ratio(row.best_peer), row.ratio("tensorflow")]
            writer.writerow(
                [
                    *(date, commit, host, result.threads, row.case.name, row.case.unit),
                    *(f"{row.case.shown(own):.4g}", row.best_peer or ""),
                    *("" if ratio is None else f"{ratio:.4g}" for ratio in ratios),
                    *(row.case.aim(row.threads)[0], row.met),
                ]
            )

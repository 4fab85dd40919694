"""Runs the workloads on tinytf and on every installed peer and prints one table of figures and ratios.

  python benchmarks/run.py                      every case, one thread
  python benchmarks/run.py --threads 1 2        one thread, then two
  python benchmarks/run.py --only null_run mlp  these cases
  python benchmarks/run.py --peers tensorflow   these peers beside tinytf

Each peer has its own process. For each case the peers take turns for several rounds, so that other load on the machine
affects all of them equally; the minimum of each counts. Peers are searched in the interpreter that runs this file, or
in the one that the environment variable TINYTF_ORACLE names. Ratios are appended to benchmarks/history.csv.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

import report
from case import Case, all_cases
from peers import PEERS, environment

HERE = Path(__file__).parent


class Worker:
    """The process of a peer."""

    def __init__(self, peer: str, threads: int) -> None:
        self.peer = peer
        python = sys.executable if peer == "tinytf" else os.environ.get("TINYTF_ORACLE", sys.executable)
        self.process = subprocess.Popen(
            [python, str(HERE / "worker.py"), peer, str(threads)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=environment(threads),
        )

    def greeting(self) -> dict[str, Any]:
        """The first message of the process: the version of the peer, or that it is not installed."""
        return self._read()

    def ask(self, **request: Any) -> dict[str, Any]:
        """Sends a request and waits for the answer."""
        if self.process.poll() is not None:
            return {"error": f"its process ended with {self.process.returncode}"}
        try:
            print(json.dumps(request), file=self.process.stdin, flush=True)
        except BrokenPipeError:
            return {"error": f"its process ended with {self.process.wait()}"}
        return self._read()

    def _read(self) -> dict[str, Any]:
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"error": f"its process ended with {self.process.wait()}"}

    def close(self) -> None:
        """Ends the process."""
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


def start_workers(peers: list[str], threads: int) -> tuple[dict[str, Worker], dict[str, str]]:
    """Starts the installed peers; returns their processes and versions."""
    started = [Worker(peer, threads) for peer in peers]
    workers, versions = {}, {}
    for worker in started:
        greeting = worker.greeting()
        if "version" in greeting:
            workers[worker.peer], versions[worker.peer] = worker, greeting["version"]
        else:
            print(f"without {worker.peer}: {greeting.get('missing') or greeting['error']}", file=sys.stderr)
            worker.close()
    return workers, versions


def measure(case: Case, workers: dict[str, Worker], rounds: int, seconds: float) -> dict[str, Any]:
    """The figures of one case as costs: {peer: {"min", "median"} or {"error"}}."""
    running = [worker for peer, worker in workers.items() if peer in case.programs]
    samples: dict[str, list[float]] = {worker.peer: [] for worker in running}
    errors: dict[str, str] = {}
    for turn in range(rounds):
        for worker in running[turn % len(running) :] + running[: turn % len(running)] if running else []:
            if worker.peer in errors:
                continue
            answer = worker.ask(case=case.name, seconds=seconds / rounds)
            if "error" in answer:
                errors[worker.peer] = answer["error"]
            else:
                samples[worker.peer] += answer["samples"]
    for worker in running:
        worker.ask(drop=case.name)
    figures: dict[str, Any] = {
        peer: {"min": min(values), "median": statistics.median(values)} for peer, values in samples.items() if values
    }
    figures.update({peer: {"error": error} for peer, error in errors.items()})
    return figures


def run(cases: list[Case], peers: list[str], threads: int, rounds: int, seconds: float, out: Any) -> report.Result:
    """Measures the cases with one thread count and prints a row for each."""
    wanted = [peer for peer in peers if any(peer in case.programs for case in cases)]
    workers, versions = start_workers(wanted, threads)
    result = report.Result(threads, versions)
    try:
        if out:
            print(report.header(result), file=out, flush=True)
        for case in cases:
            result.add(case, measure(case, workers, rounds, seconds))
            if out:
                print(report.row(result.rows[-1], versions), file=out, flush=True)
    finally:
        for worker in workers.values():
            worker.close()
    return result


def main() -> int:
    """The command line; returns 1 if tinytf failed in a case, regardless of its speed."""
    cases = all_cases()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, nargs="+", default=[1], help="thread counts (1)")
    parser.add_argument("--only", nargs="+", metavar="NAME", choices=[c.name for c in cases], help="cases to run")
    parser.add_argument("--peers", nargs="*", choices=[p for p in PEERS if p != "tinytf"], help="peers to compare with")
    parser.add_argument("--rounds", type=int, default=5, help="turns that each peer takes in a case (5)")
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each peer in a case, all rounds (1)")
    parser.add_argument("--json", action="store_true", help="print all figures as JSON instead of the table")
    parser.add_argument("--no-history", action="store_true", help="append nothing to benchmarks/history.csv")
    options = parser.parse_args()
    if options.only:
        cases = [case for case in cases if case.name in options.only]
    peers = ["tinytf", *(options.peers if options.peers is not None else [p for p in PEERS if p != "tinytf"])]
    out = None if options.json else sys.stdout
    results = []
    for threads in options.threads:
        results.append(run(cases, peers, threads, max(1, options.rounds), options.seconds, out))
        if not options.no_history:
            report.append_history(HERE / "history.csv", results[-1])
    if options.json:
        json.dump([result.as_json() for result in results], sys.stdout, indent=1, ensure_ascii=False)
        print()
    else:
        print(report.footer(results))
    return int(any("error" in row.figures.get("tinytf", {}) for result in results for row in result.rows))


if __name__ == "__main__":
    sys.exit(main())

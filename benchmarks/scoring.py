"""Time the metrics against jiwer, bare rapidfuzz and the reference text's own code.

    .venv/bin/python -m benchmarks.scoring
    .venv/bin/python -m benchmarks.scoring --million

prints tables and writes them to benchmarks/results/scoring.md; with --million only the part about
a million fields is measured, which takes minutes, and the rest of the file stays.
"""

import argparse
import gc
import platform
import sys
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from statistics import median

import jiwer
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from benchmarks.plain_python_metrics import score_sample
from benchmarks.scoring_million import million_report
from benchmarks.scoring_texts import Texts, make_texts
from ocrjury.text import score_texts

RESULT = Path(__file__).parent / "results" / "scoring.md"
MILLION = "\n## A million fields"
FULL = (
    *("n_ref_chars", "n_hyp_chars", "edit_distance", "substitutions", "deletions", "insertions"),
    *("cer", "wer", "ned", "nacc", "bleu", "char_precision", "char_recall", "char_f1"),
    "exact_match",
)
WITHOUT_BLEU = tuple(name for name in FULL if name != "bleu")
ROUNDS = 5
# Pool: documents, shortest, longest; least ratio to jiwer of the full row and without BLEU.
POOLS = {"fields": (20_000, 20, 60, 3.0, 5.0), "pages": (2_000, 1_800, 2_200, 2.0, 3.5)}
SUBSAMPLE = {"fields": 100, "pages": 1}
LEAST_OF_CPDIST, LEAST_OF_PLAIN = 0.20, 100.0


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--no-write", action="store_true", help="print only")
    parser.add_argument("--million", action="store_true", help="only a million fields, end to end")
    arguments = parser.parse_args()
    old = RESULT.read_text(encoding="utf-8") if RESULT.exists() else ""
    speed, mark, million = old.partition(MILLION)
    if arguments.million:
        text = speed + MILLION + "\n".join(million_report())
    else:
        text = "\n".join([preface(), *speed_report()]) + mark + million
    sys.stdout.write(text)
    if not arguments.no_write:
        RESULT.write_text(text, encoding="utf-8")


def speed_report() -> Iterator[str]:
    """Yield the tables of both pools."""
    for name, (number, shortest, longest, least, least_without) in POOLS.items():
        texts = make_texts(number, shortest=shortest, longest=longest)
        seconds = measure(texts)
        yield f"\n## {number:,} {name} of {shortest} to {longest} characters\n"
        yield "| what | documents per second | by medians |\n|---|--:|--:|"
        for what, times in seconds.items():
            rate = f"{number / min(times):,.0f} | {number / median(times):,.0f}"
            yield shown(f"| {what} | {rate} |")
        yield "\n| ours against | factor | by medians | goal | |\n|---|--:|--:|--:|---|"
        jiwer_, full, bare = (
            seconds["jiwer, characters + words"],
            seconds["full row"],
            seconds["rapidfuzz cpdist, bare"],
        )
        yield ratio("jiwer", jiwer_, full, goal=least)
        yield ratio("jiwer, without BLEU", jiwer_, seconds["without BLEU"], goal=least_without)
        goal = LEAST_OF_CPDIST if name == "pages" else None
        yield ratio("bare rapidfuzz cpdist", bare, full, goal=goal)
        yield ratio("bare rapidfuzz cpdist, without BLEU", bare, seconds["without BLEU"], goal=None)
        yield plain_python_line(texts, SUBSAMPLE[name], min(full) / number)
    yield LIMITS


def measure(texts: Texts) -> dict[str, list[float]]:
    """Seconds of the processor that each task took, by turns, in this process."""
    pair = texts.references, texts.hypotheses
    tasks: dict[str, Callable[[], object]] = {
        "full row": lambda: score_texts(*pair, metrics=FULL),
        "full row and CER without spaces": lambda: score_texts(*pair),
        "without BLEU": lambda: score_texts(*pair, metrics=WITHOUT_BLEU),
        "jiwer, characters + words": lambda: (
            jiwer.process_characters(texts.references, texts.hypotheses),
            jiwer.process_words(texts.references, texts.hypotheses),
        ),
        "rapidfuzz cpdist, bare": lambda: cpdist(*pair, scorer=Levenshtein.distance),
    }
    check(texts)
    seconds: dict[str, list[float]] = {what: [] for what in tasks}
    for _ in range(ROUNDS):
        for what, task in tasks.items():
            gc.collect()
            start = time.process_time()
            task()
            seconds[what].append(time.process_time() - start)
    return seconds


def check(texts: Texts) -> None:
    """Raise if the rivals do not find the same edits."""
    first = texts.references[:50], texts.hypotheses[:50]
    frame = score_texts(*first, metrics=("edit_distance",))
    theirs = jiwer.process_characters(first[0], first[1])
    total = theirs.substitutions + theirs.deletions + theirs.insertions
    bare = cpdist(*first, scorer=Levenshtein.distance).sum()
    if not frame["edit_distance"].sum() == total == bare:
        raise AssertionError((frame["edit_distance"].sum(), total, bare))


def ratio(what: str, theirs: list[float], ours: list[float], *, goal: float | None) -> str:
    """Line with how many times faster ours is."""
    best, middle = min(theirs) / min(ours), median(theirs) / median(ours)
    met = "" if goal is None else "met" if min(best, middle) >= goal else "missed"
    aim = "" if goal is None else f"{goal:g}x"
    return shown(f"| {what} | {best:.2f}x | {middle:.2f}x | {aim} | {met} |")


def plain_python_line(texts: Texts, number: int, ours: float) -> str:
    """Line about the reference text's code, which is timed on a few documents."""
    start = time.process_time()
    for reference, hypothesis in list(zip(*texts, strict=True))[:number]:
        score_sample(reference, hypothesis)
    theirs = (time.process_time() - start) / number
    factor = theirs / ours
    met = "met" if factor >= LEAST_OF_PLAIN else "missed"
    return shown(
        f"| the reference text's code, {number} of them: {1 / theirs:,.2f} per second "
        f"| {factor:,.0f}x | | {LEAST_OF_PLAIN:g}x | {met} |"
    )


def shown(line: str) -> str:
    """The same line, after showing it at once."""
    sys.stderr.write(f"{line}\n")
    return line


LIMITS = """
## What limits it

For a page, most of the time goes into rapidfuzz's edit operations. Substitutions, deletions and
insertions need them, a bare distance does not, so the full row cannot come closer to `cpdist`
than one alignment of the characters does. For a short field, the time goes into Python's own
work per document: splitting words, numbering them for BLEU, and one call of rapidfuzz each for
characters and words. BLEU alone takes about half of a field's time.
"""


def preface() -> str:
    """Preface of the result: what the tables show."""
    names = ("ocrjury", "rapidfuzz", "jiwer", "numpy", "pandas")
    versions = ", ".join(f"{name} {version(name)}" for name in names)
    return f"""# Metrics against jiwer, rapidfuzz and the reference text's code

Made by `.venv/bin/python -m benchmarks.scoring`: one process, one run, tasks by turns, {ROUNDS}
rounds. Seconds are processor time, because other work shares the machine. Rates are those of the
fastest round and of the median round. Texts are Korean and English words and numbers, each with up
to 40 % of the characters wrong. Ours is the full row: lengths, edit distance, substitutions,
deletions, insertions, CER, WER, NED, BLEU, character precision, recall and F1, exact match, over
grapheme clusters in normal form C. jiwer counts code points and has neither BLEU nor F1; it scores
the whole list in one call of `process_characters` and one of `process_words`. `cpdist` of rapidfuzz
is the bare distance of code points. The reference text's code is timed on the first few documents,
and its rate taken for all.

{versions}; Python {platform.python_version()}, {platform.machine()}.
"""


if __name__ == "__main__":
    main()

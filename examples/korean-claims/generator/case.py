"""An invented patient's stay in hospital."""

import random
from dataclasses import dataclass
from typing import Self

from generator import vocabulary as words

Day = tuple[int, int, int]  # year, month, day


@dataclass(frozen=True, slots=True)
class Case:
    """One patient's stay in hospital."""

    rng: random.Random
    patient: str
    doctor: str
    admitted: Day
    discharged: Day
    days: int
    hospital: str
    code: str
    diagnosis: str
    operation: str | None
    dashed_dates: bool
    address: str
    resident_number: str
    chart_number: str
    policy_number: str

    @classmethod
    def invent(cls, rng: random.Random, *, operated: bool) -> Self:
        """Return a case, with an operation if need be.

        The order of the draws is part of what a seed means.
        """
        patient, doctor = _name(rng), _name(rng)
        admitted = rng.randint(2021, 2024), rng.randint(1, 12), rng.randint(1, 28)
        nights = rng.randint(2, 24)
        hospital = rng.choice(words.HOSPITALS)
        code, diagnosis, operation = rng.choice(words.DIAGNOSES)
        while operated and operation is None:
            code, diagnosis, operation = rng.choice(words.DIAGNOSES)
        dashed = rng.random() < 0.5
        address = rng.choice(words.ADDRESSES).format(rng.randint(3, 240), rng.randint(1, 19))
        born = f"{rng.randint(45, 99):02d}{rng.randint(1, 12):02d}{rng.randint(1, 28):02d}"
        return cls(
            rng=rng,
            patient=patient,
            doctor=doctor,
            admitted=admitted,
            discharged=_later(admitted, nights),
            days=nights + 1,
            hospital=hospital,
            code=code,
            diagnosis=diagnosis,
            operation=operation,
            dashed_dates=dashed,
            address=address,
            resident_number=f"{born}-{rng.randint(1, 2)}******",
            chart_number=str(rng.randint(10_000_000, 99_999_999)),
            policy_number=f"L{rng.randint(2010, 2023)}-{rng.randint(100_000, 999_999)}",
        )

    def date(self, day: Day) -> str:
        """Return a date as this hospital writes it."""
        year, month, number = day
        if self.dashed_dates:
            return f"{year}-{month:02d}-{number:02d}"
        return f"{year}년 {month}월 {number}일"

    def notes(self, n: int) -> str:
        """Return n different sentences of a medical report."""
        chosen = self.rng.sample(words.NOTES, n)
        return " ".join(self._filled(note) for note in chosen)

    def _filled(self, note: str) -> str:
        """Return a sentence with numbers; all are drawn, whichever it needs."""
        whole = self.rng.randint
        return note.format(
            d=whole(1, 9),
            b=whole(98, 168),
            c=whole(58, 98),
            p=whole(58, 112),
            t=f"{whole(362, 391) / 10}",
            w=f"{whole(4100, 21000):,}",
            r=f"{whole(3, 240) / 10}",
            x=f"{whole(6, 58) / 10}",
            y=f"{whole(6, 44) / 10}",
            k=whole(2, 12),
            k2=whole(2, 5),
            v=whole(20, 650),
            a=whole(60, 140),
        )


def _name(rng: random.Random) -> str:
    """Return an invented name."""
    return "".join(
        rng.choice(syllables)
        for syllables in (words.SURNAMES, words.FIRST_SYLLABLES, words.SECOND_SYLLABLES)
    )


def _later(day: Day, days: int) -> Day:
    """Return a later day, in a calendar whose months all have 28 days."""
    year, month, number = day
    if number + days <= 28:
        return year, month, number + days
    return year + (month == 12), month % 12 + 1, number + days - 28

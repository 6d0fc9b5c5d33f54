"""Publish reports to a folder or a bucket, in steps of which each may be the last.

``CAMPAIGN/EVALUATION/vN/`` holds the files of a report and, written last, ``manifest.json``.
``CAMPAIGN/latest.json`` names the manifest of the newest report. A run that was killed is made good
by the next one: whatever is missing is written, and what is there already is left alone.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ocrjury.delivery.manifests import (
    LARGEST,
    LATEST,
    MANIFEST,
    REMOVING,
    Manifest,
    PublishedFile,
    as_json,
    digest,
)
from ocrjury.delivery.places import PART, Place
from ocrjury.errors import InputError

Done = Literal["published", "unchanged"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """A report with its files by name, on the way to a folder that keeps some or all reports."""

    manifest: Manifest
    bodies: Mapping[str, bytes]
    keep: int | None = None


def publish(place: Place, publication: Publication) -> Done:
    """Bring a report to a place, point to the newest one, and remove those too many.

    Returns
    -------
    "published" or "unchanged"
        The latter if nothing had to be written.
    """
    wrote = _bring(place, publication)
    kept = list_publications(place, publication.manifest.campaign)
    wrote = _point(place, kept[-1], own=publication.manifest) or wrote
    _clear_parts(place, publication.manifest)
    _remove_surplus(place, kept, publication)
    return "published" if wrote else "unchanged"


def list_publications(place: Place, campaign: str) -> list[Manifest]:
    """Whole reports of a campaign, the oldest first; what something else wrote is left out."""
    return _found(place, campaign, MANIFEST)


def _bring(place: Place, publication: Publication) -> bool:
    """Write the files that are not there yet, and then the manifest; False if all was there."""
    manifest = publication.manifest
    folder = f"{manifest.campaign}/{manifest.folder}"
    missing = [
        file.name for file in manifest.files if not _holds(place, f"{folder}/{file.name}", file)
    ]
    whole = place.read(f"{folder}/{MANIFEST}", most=LARGEST) == manifest.body()
    if whole and not missing:
        return False
    for name in missing:
        if not whole and place.holds(f"{folder}/{name}"):
            raise InputError(
                f"{place.address_of(f'{folder}/{name}')} is there already and is not of this "
                "report; remove it, or publish to another folder."
            )
        place.write(f"{folder}/{name}", publication.bodies[name])
    place.write(f"{folder}/{MANIFEST}", manifest.body())
    return True


def _point(place: Place, newest: Manifest, *, own: Manifest) -> bool:
    """Let ``latest.json`` name the newest report; False if it does."""
    body = as_json(
        {
            "writer": newest.writer,
            "evaluation": newest.evaluation,
            "version": newest.version,
            "at": newest.at.isoformat(),
            "manifest": f"{newest.folder}/{MANIFEST}",
            "sha256": digest(newest.body()),
        }
    )
    name = f"{newest.campaign}/{LATEST}"
    if place.read(name, most=LARGEST) == body:
        return False
    place.write(name, body, part=_part_of_latest(own))
    return True


def _part_of_latest(own: Manifest) -> str:
    """Word in the name of a part: reports of several evaluations may be published at once."""
    return f".{own.folder.replace('/', '-')}"


def _clear_parts(place: Place, own: Manifest) -> None:
    """Remove parts that a killed run left; a bucket moves by copying, so there may be both."""
    folder = f"{own.campaign}/{own.folder}"
    parts = {f"{name}{PART}" for name in (*(file.name for file in own.files), MANIFEST)}
    for name in parts.intersection(place.list(folder)):
        place.remove(f"{folder}/{name}")
    part = f"{LATEST}{_part_of_latest(own)}{PART}"
    if part in place.list(own.campaign):
        place.remove(f"{own.campaign}/{part}")


def _remove_surplus(place: Place, kept: Sequence[Manifest], publication: Publication) -> None:
    """Remove all but the newest reports and this one, and what was left half removed before.

    A report first loses its manifest, by a new name: from then on it is none, and whoever comes
    next can still tell which files to remove.
    """
    campaign, own, keep = (
        publication.manifest.campaign,
        publication.manifest.folder,
        publication.keep,
    )
    whole = {version.folder for version in kept}
    for version in [] if keep is None else kept[:-keep]:
        if version.folder != own:
            folder = f"{campaign}/{version.folder}"
            place.rename(f"{folder}/{MANIFEST}", f"{folder}/{REMOVING}")
            whole.remove(version.folder)
    for version in _found(place, campaign, REMOVING):
        folder = f"{campaign}/{version.folder}"
        for file in version.files if version.folder not in whole else ():
            if _holds(place, f"{folder}/{file.name}", file):
                place.remove(f"{folder}/{file.name}")
        place.remove(f"{folder}/{REMOVING}")
        place.remove_folder(folder)


def _found(place: Place, campaign: str, name: str) -> list[Manifest]:
    """Manifests under a name, those of the oldest reports first."""
    folders = [
        f"{evaluation}/{version}"
        for evaluation in place.list(campaign)
        for version in place.list(f"{campaign}/{evaluation}")
    ]
    bodies = [place.read(f"{campaign}/{folder}/{name}", most=LARGEST) for folder in folders]
    read = [
        Manifest.read(body, folder) for body, folder in zip(bodies, folders, strict=True) if body
    ]
    return sorted((report for report in read if report is not None), key=lambda report: report.age)


def _holds(place: Place, name: str, file: PublishedFile) -> bool:
    """Return whether a file is there, with its content as it was written."""
    body = place.read(name, most=file.size)
    return body is not None and digest(body) == file.sha256

"""The files beside a campaign that become part of it: its rubric and its logo."""

from collections.abc import Callable
from pathlib import Path

from ocrjury.campaign.logo import read_logo
from ocrjury.campaign.rubric import read_rubric
from ocrjury.campaign.yaml_source import YamlSource
from ocrjury.errors import InputError


def with_files(source: YamlSource) -> dict[str, object]:
    """File's keys with what it names read; an empty section gets its defaults."""
    data = {key: value for key, value in source.data.items() if value is not None}
    folder = source.path.parent
    if isinstance(name := data.get("rubric"), str):
        data["rubric"] = _read(read_rubric, folder / name)
    report = data.get("report")
    brand = report.get("brand") if isinstance(report, dict) else None
    if isinstance(report, dict) and isinstance(brand, dict) and isinstance(brand.get("logo"), str):
        logo = _read(read_logo, folder / brand["logo"])
        data["report"] = {**report, "brand": {**brand, "logo": logo}}
    return data


def _read(read: Callable[[Path], object], path: Path) -> object:
    """What a file holds, or the error, which is listed with the other problems of the campaign."""
    try:
        return read(path)
    except InputError as error:
        return error

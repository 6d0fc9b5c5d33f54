"""The files beside a campaign that become part of it: its rubric, its logo and its templates."""

from collections.abc import Callable
from pathlib import Path

from ocrjury.campaign.logo import read_logo
from ocrjury.campaign.report_templates import read_templates
from ocrjury.campaign.rubric import read_rubric
from ocrjury.campaign.yaml_source import YamlSource
from ocrjury.errors import InputError

Keys = tuple[str, ...]
_READERS: dict[Keys, Callable[[Path], object]] = {
    ("rubric",): read_rubric,
    ("report", "brand", "logo"): read_logo,
    ("report", "templates"): read_templates,
}
"""Function that reads the file or folder of each key."""


def with_files(source: YamlSource) -> dict[str, object]:
    """File's keys with what it names read; an empty section gets its defaults."""
    data = {key: value for key, value in source.data.items() if value is not None}
    for keys in _READERS:
        data = _with_file(source, data, keys)
    return data


def _with_file(
    source: YamlSource, section: dict[str, object], keys: Keys, *, at: int = 0
) -> dict[str, object]:
    """Section, so many keys down, in which the name of a file is what the file holds."""
    key, last = keys[at], at == len(keys) - 1
    match section.get(key):
        case dict() as inner if not last:
            return {**section, key: _with_file(source, inner, keys, at=at + 1)}
        case str() as name if last:
            return {**section, key: _read(keys, source.path.parent / name)}
    return section


def _read(keys: Keys, path: Path) -> object:
    """Read a file; an error is returned, and listed with the other problems of the campaign."""
    try:
        return _READERS[keys](path)
    except InputError as error:
        return error

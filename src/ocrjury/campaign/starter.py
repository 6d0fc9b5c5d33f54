"""A new campaign: three commented files for a lead to adapt."""

from importlib.resources import files
from pathlib import Path
from string import Template

from pydantic import TypeAdapter, ValidationError

from ocrjury.campaign.problems import listed
from ocrjury.campaign.section_values import CampaignName
from ocrjury.errors import InputError
from ocrjury.whole_files import write_whole

FILES = ("campaign.yaml", "rubric.yaml", "raters.csv")


def write_starter(folder: str | Path, name: str, *, seed: int = 20260101) -> list[Path]:
    """Write campaign.yaml, rubric.yaml and raters.csv, and return their paths.

    Parameters
    ----------
    folder
        Where they go; made if it is not there.

    Raises
    ------
    InputError
        If the name cannot be one, or one of the files exists; then nothing is written.
    """
    try:
        TypeAdapter[str](CampaignName).validate_python(name)
    except ValidationError as error:
        raise InputError(
            f"A campaign cannot be named {name!r}; take lower-case letters, digits and inner "
            "hyphens, such as korean-claims."
        ) from error
    folder = Path(folder)
    paths = [folder / file for file in FILES]
    if existing := [str(path) for path in paths if path.exists()]:
        raise InputError(
            f"Nothing was written, because there is already {listed(existing)}. Choose another "
            "folder."
        )
    folder.mkdir(parents=True, exist_ok=True)
    templates = files("ocrjury") / "templates" / "campaign"
    for path in paths:
        text = Template((templates / path.name).read_text("utf-8"))
        write_whole(path, text.substitute(name=name, seed=seed), new=True)
    return paths

"""The files of a stored report as they are published."""

from collections.abc import Callable, Sequence

from ocrjury.delivery.manifests import Manifest, folder_of
from ocrjury.delivery.places import Place, bucket_failures
from ocrjury.delivery.publishing import Done, Publication, publish
from ocrjury.errors import InputError, OcrjuryError
from ocrjury.evaluation.case import Case
from ocrjury.store.damaged_files import read_stored
from ocrjury.store.files import FileStore
from ocrjury.store.reports import ReportRow, translations


def files_of(
    files: FileStore, report: ReportRow, translations: Sequence[ReportRow] = ()
) -> dict[str, bytes]:
    """Everything that is published of a report, by name; whatever else is to go along goes here.

    A report in another language than the main one has the language in its name.
    """
    addresses = {"report.html": report.html_uri, "report.pdf": report.pdf_uri}
    for other in translations:
        addresses[f"report.{other.language}.html"] = other.html_uri
        addresses[f"report.{other.language}.pdf"] = other.pdf_uri
    return {
        name: read_stored(files.path(address))
        for name, address in addresses.items()
        if address is not None
    }


def publish_report(
    case: Case, report: ReportRow, *, first: Callable[[], object] = lambda: None
) -> Done:
    """Publish a report to the folder or bucket that the campaign names.

    Parameters
    ----------
    first
        Is called before anything leaves, once it is known what and where to.

    Raises
    ------
    InputError
        If the campaign names none, the report's files are gone, or the place cannot be used.
    """
    section = case.campaign.report.publish
    if section is None:
        raise InputError(
            "report.publish is not set; give it `to`, a folder or an address such as "
            "s3://bucket/reports."
        )
    location = case.campaign.located(section.to)
    others = translations(case.work.engine, case.name, report)
    bodies = files_of(case.work.store.files, report, others)
    manifest = Manifest.of(report, bodies, evaluation=case.row)
    publication = Publication(manifest=manifest, bodies=bodies, keep=section.keep)
    try:
        place = Place.at(location)
        first()
        return publish(place, publication)
    except OcrjuryError:
        raise
    except OSError as error:
        raise InputError(f"{location} cannot be used: {error}.") from error
    except bucket_failures() as error:
        # Their words may hold a signed address.
        raise InputError(f"{location} cannot be used: {type(error).__name__}.") from error


def published_at(case: Case, report: ReportRow) -> str | None:
    """Address of the folder that a report is published to, as people open it; None if nowhere."""
    section = case.campaign.report.publish
    if section is None:
        return None
    root = section.link or case.campaign.located(section.to)
    return f"{root}/{case.row.campaign}/{folder_of(case.name, report.version)}"

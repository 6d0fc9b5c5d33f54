import csv
import re
from dataclasses import replace
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ocrjury.campaign import RaterEntry, eligible, read_raters
from ocrjury.campaign.registry import COLUMNS, Absence, named_skills
from ocrjury.errors import InputError

DAY = date(2026, 11, 20)
DAYS = st.dates(date(2026, 1, 1), date(2027, 12, 31))
WORDS = st.lists(st.text("abc가나-", min_size=1, max_size=5), max_size=3).map(tuple)
ABSENCES = st.lists(st.tuples(DAYS, DAYS).map(sorted).map(lambda ends: Absence(*ends)), max_size=2)
ENTRIES = st.builds(
    RaterEntry,
    pseudonym=st.from_regex(r"[A-Z][0-9]{2}", fullmatch=True),
    name=st.text('가나 ,"', max_size=6).map(str.strip),
    role=st.sampled_from(["rater", "adjudicator", "expert"]),
    languages=WORDS,
    skills=WORDS,
    conflicts=WORDS,
    cost=st.floats(0, 100),
    minutes_per_item=st.none() | st.floats(0.1, 60),
    capacity=st.none() | st.integers(0, 1000),
    absences=ABSENCES.map(tuple),
)


def allowed(entry, *, doc_type="claim", doc_id="d1", language="ko", on=DAY, skilled=()):
    return eligible(
        entry, doc_type=doc_type, doc_id=doc_id, language=language, on=on, skilled=skilled
    )


def row(entry):
    """Write a rater as a row of the file."""
    blank = {None: ""}
    return {
        "pseudonym": entry.pseudonym,
        "name": entry.name,
        "role": entry.role,
        "languages": ";".join(entry.languages),
        "skills": ";".join(entry.skills),
        "conflicts": ";".join(entry.conflicts),
        "cost": entry.cost,
        "minutes_per_item": blank.get(entry.minutes_per_item, entry.minutes_per_item),
        "capacity": blank.get(entry.capacity, entry.capacity),
        "absent_from": ";".join(str(away.first) for away in entry.absences),
        "absent_to": ";".join(str(away.last) for away in entry.absences),
    }


@pytest.mark.parametrize("separator", [";", "\t"])
def test_a_spreadsheets_semicolons_and_tabs_are_read_as_commas(registry, separator):
    header = separator.join(["pseudonym", "languages", "cost"])
    line = separator.join(["R01", '"en;ko"', "0.5"])

    (entry,) = read_raters(registry(line, header=header))

    assert (entry.languages, entry.cost) == (("en", "ko"), 0.5)


@pytest.mark.parametrize(
    ("opening", "first"),
    [("\n\n", 3), (";;\n", 2), ("sep=;\n", 2), ("sep=;\r\n\n", 3), ("\ufeffsep=;\n", 2)],
)
def test_what_stands_above_the_header_is_passed_over(registry, opening, first):
    def path(column):
        return registry("", "R01;free", header=f"{opening}pseudonym;{column}")

    assert read_raters(path("name")) == (RaterEntry("R01", name="free"),)
    with pytest.raises(InputError, match=f"row {first}: column 'nam' is not known"):
        read_raters(path("nam"))
    with pytest.raises(InputError, match=f"row {first + 2}: cost is 'free'"):
        read_raters(path("cost"))


def test_without_a_price_somebody_costs_what_the_others_with_the_role_do(registry):
    lines = ["R01,rater,0.4", "R02,rater,", "R03,rater,0.6", "A01,adjudicator,"]

    entries = read_raters(registry(*lines, header="pseudonym,role,cost"))

    assert [entry.cost for entry in entries] == [0.4, 0.5, 0.6, 1.0]
    assert [entry.price for entry in entries] == [0.4, None, 0.6, None]


def test_a_pseudonym_is_enough(registry):
    assert read_raters(registry("R01", header="pseudonym")) == (RaterEntry("R01"),)


def test_all_columns_are_read(registry):
    path = registry(
        "R01,김서연,a@example.org,Expert,ko; en,medical,처방전;kr-001/dx,2.5,0.8,40,"
        "2026-12-24;2027-02-01,2026-12-31",
        header=",".join(COLUMNS),
    )

    (entry,) = read_raters(path)

    assert entry == RaterEntry(
        pseudonym="R01",
        name="김서연",
        email="a@example.org",
        role="expert",
        languages=("ko", "en"),
        skills=("medical",),
        conflicts=("처방전", "kr-001/dx"),
        cost=2.5,
        minutes_per_item=0.8,
        capacity=40,
        absences=(
            Absence(date(2026, 12, 24), date(2026, 12, 31)),
            Absence(date(2027, 2, 1), None),
        ),
        priced=True,
    )


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949"])
def test_korean_names_are_read_in_the_usual_encodings(registry, encoding):
    path = registry("R01,김서연", header="pseudonym,name", encoding=encoding)

    assert read_raters(path)[0].name == "김서연"


def test_what_a_spreadsheet_adds_does_not_count(registry):
    path = registry("", "R01,rater,,", ",,,", header="Pseudonym, Role,,")

    assert read_raters(path) == (RaterEntry("R01"),)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "1R,rater",
            r"raters\.csv, row 2: pseudonym is '1R'; it must be a letter and then letters, digits,",
        ),
        (",rater", r"row 2: pseudonym is ''; it must be a letter and then"),
        (
            "R01,experts",
            r"row 2: role is 'experts'; it must be .* expert\. Did you mean 'expert'\?$",
        ),
        ("R01,rater,3", r"row 2: it has 3 cells; the file has 2 columns\."),
    ],
)
def test_a_bad_cell_is_named_with_its_row(registry, line, sentence):
    with pytest.raises(InputError, match=sentence):
        read_raters(registry(line))


def test_a_capacity_beyond_what_a_database_counts_is_no_limit(registry):
    (entry,) = read_raters(registry("R01,99999999999", header="pseudonym,capacity"))

    assert entry.capacity == 2**31 - 1


@pytest.mark.parametrize(
    "address",
    ["mailto:kim@example.org", "kim@[example.org", "kim.:@example.org", "[kim@example.org]"],
)
def test_an_address_that_a_mail_header_reads_otherwise_is_refused(registry, address):
    path = registry(f"R01,{address}", header="pseudonym,email")

    with pytest.raises(InputError, match=r"row 2: email is .*; it must be an email address"):
        read_raters(path)


@pytest.mark.parametrize(
    "sentence",
    [
        r"email is 'nobody'; it must be an email address, or empty\.",
        r"languages is 'en ko'; it must be codes of languages with semicolons between them, such",
        r"languages is 'en\|ko'; it must be codes of languages with semicolons between them, such",
        r"cost is 'free'; it must be a number of at least 0\.",
        r"cost is '1_0'; it must be a number of at least 0\.",
        r"cost is 'nan'; it must be a number of at least 0\.",
        r"cost is 'inf'; it must be a number of at least 0\.",
        r"minutes_per_item is '0'; it must be a number above 0, or empty\.",
        r"capacity is '12.5'; it must be a whole number of ratings per round, or empty",
        r"absent_from is '24.12.2026'; it must be dates such as 2026-11-23, separated by",
    ],
)
def test_a_value_of_the_wrong_kind_is_refused(registry, sentence):
    column, text = re.match(r"(\w+) is '(.*?)'", sentence.replace("\\|", "|")).groups()
    path = registry(f"R01,{text}", header=f"pseudonym,{column}")

    with pytest.raises(InputError, match=f"row 2: {sentence}"):
        read_raters(path)


def test_the_end_of_an_absence_needs_its_beginning(registry):
    with pytest.raises(
        InputError, match=r"row 2: absent_to has more dates than absent_from; give every first day"
    ):
        read_raters(registry("R01,2026-12-24", header="pseudonym,absent_to"))


def test_an_absence_that_ends_before_it_begins_is_refused(registry):
    path = registry("R01,2026-12-24,2026-12-01", header="pseudonym,absent_from,absent_to")

    with pytest.raises(
        InputError, match=r"row 2: absent_to 2026-12-01 is before absent_from 2026-12-24\."
    ):
        read_raters(path)


def test_one_person_stands_there_once(registry):
    path = registry(
        "R01,a@example.org", "r01,b@example.org", "R03,A@example.org", header="pseudonym,email"
    )

    with pytest.raises(InputError) as caught:
        read_raters(path)

    assert str(caught.value).splitlines()[1:] == [
        "- row 3: its pseudonym is that of row 2; one row per person.",
        "- row 4: its email is that of row 2; one row per person.",
    ]


def test_every_bad_row_is_listed(registry):
    with pytest.raises(InputError) as caught:
        read_raters(registry("R01,boss", "R02,rater", "R 3,chief"))

    first, *rest = str(caught.value).splitlines()
    assert first.endswith("raters.csv has 3 problems:")
    assert [line.split(":")[0] for line in rest] == ["- row 2", "- row 4", "- row 4"]


@pytest.mark.parametrize(
    ("header", "sentence"),
    [
        ("name,role", r"row 1: there is no column 'pseudonym'; found 'name', 'role'\."),
        (
            "pseudonym,rolle",
            r"row 1: column 'rolle' is not known\. Did you mean 'role'\? Known: pseudonym, name,",
        ),
        ("pseudonym,role,role", r"row 1: column 'role' stands there twice\."),
        (",pseudonym", r"row 1: a column has no name; remove it, or name it in this row\."),
    ],
)
def test_a_bad_header_is_refused(registry, header, sentence):
    with pytest.raises(InputError, match=sentence):
        read_raters(registry("R01,rater", header=header))


def test_a_registry_without_people_is_refused(registry):
    with pytest.raises(InputError, match=r"raters\.csv, it names no rater\."):
        read_raters(registry())


def test_an_empty_file_is_refused(tmp_path):
    (tmp_path / "raters.csv").touch()

    with pytest.raises(InputError, match=r"there is no column 'pseudonym'; found nothing\."):
        read_raters(tmp_path / "raters.csv")


def test_a_file_that_is_not_there_names_the_columns(tmp_path):
    with pytest.raises(
        InputError, match=r"cannot be read: No such file .*\. A rater registry is a CSV file with"
    ):
        read_raters(tmp_path / "raters.csv")


def test_a_quote_that_never_ends_is_refused(registry):
    with pytest.raises(
        InputError, match=r"line 2: this is not CSV \(unexpected end of data\); look"
    ):
        read_raters(registry('R01,"rater'))


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "raters.csv"
    path.write_bytes(b"pseudonym\n\xff\xff\n")

    with pytest.raises(InputError, match=r"is neither UTF-8 nor CP949 text; save it again"):
        read_raters(path)


def test_somebody_without_limits_may_rate_everything():
    assert allowed(RaterEntry("R01"))
    assert allowed(RaterEntry("R01"), doc_type=None, language=None)


@pytest.mark.parametrize("conflict", ["claim", "d1"])
def test_a_conflict_names_a_document_or_its_type(conflict):
    entry = RaterEntry("R01", conflicts=(conflict,))

    assert not allowed(entry)
    assert allowed(entry, doc_type="letter", doc_id="d2")


def test_a_region_is_the_same_language():
    entry = RaterEntry("R01", languages=("ko", "EN-us"))

    assert allowed(entry, language="ko-KR")
    assert allowed(entry, language="en")
    assert allowed(entry, language=None)
    assert not allowed(entry, language="zh")


@pytest.mark.parametrize(
    ("day", "there"),
    [
        (date(2026, 11, 19), True),
        (date(2026, 11, 20), False),
        (date(2026, 11, 22), False),
        (date(2026, 11, 23), True),
        (date(2027, 3, 1), False),
    ],
)
def test_both_ends_of_an_absence_count_and_an_open_one_lasts(day, there):
    entry = RaterEntry(
        "R01",
        absences=(Absence(DAY, date(2026, 11, 22)), Absence(date(2027, 2, 1), None)),
    )

    assert allowed(entry, on=day) is there


@given(entries=st.lists(ENTRIES, min_size=1, max_size=4, unique_by=lambda one: one.pseudonym))
def test_every_registry_survives_its_file(tmp_path_factory, entries):
    path = tmp_path_factory.mktemp("raters") / "raters.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, COLUMNS)
        table.writeheader()
        table.writerows(row(entry) for entry in entries)

    assert read_raters(path) == tuple(replace(entry, priced=True) for entry in entries)


@pytest.mark.parametrize(
    ("skills", "doc_type", "may"),
    [
        (("medical",), "Medical", True),
        (("Medical", "claims"), "medical", True),
        (("claims",), "medical", False),
        ((), "medical", False),
        ((), "letter", True),
        (("claims",), None, True),
    ],
)
def test_a_type_that_somebody_names_as_a_skill_is_for_those_who_name_it(skills, doc_type, may):
    panel = [RaterEntry("R01", skills=skills), RaterEntry("R02", skills=("medical", "tables"))]

    assert allowed(panel[0], doc_type=doc_type, skilled=named_skills(panel)) is may


@given(ENTRIES, st.text("abc가나-", max_size=5))
def test_skills_of_nobody_exclude_nobody(entry, doc_type):
    with_skills = allowed(entry, doc_type=doc_type, skilled=named_skills([entry]))

    assert with_skills in {allowed(entry, doc_type=doc_type), False}
    assert with_skills or doc_type not in entry.skills or not allowed(entry, doc_type=doc_type)

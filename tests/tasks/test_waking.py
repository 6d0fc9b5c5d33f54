"""An evaluation at rest is looked at by the next sweep whenever work arises, whichever way."""

import pytest

import ocrjury.flows.advance_evaluation as advance
from ocrjury.campaign.boundary_cases import CaseText
from ocrjury.campaign.decision_targets import DecisionTarget
from ocrjury.campaign.registry import RaterEntry
from ocrjury.cli.invitations import revoke
from ocrjury.evaluation.case import at_work
from ocrjury.frontends.ingest import OpenRound, RawRating, receive
from ocrjury.store.database import writing
from ocrjury.store.decisions import add_request
from ocrjury.store.exclusions import NewExclusion, decide_exclusion
from ocrjury.store.invitations import make_link
from ocrjury.store.link_requests import ask_for_link
from ocrjury.store.raters import keep_raters
from ocrjury.store.rounds import list_assignments
from ocrjury.store.rubric_versions import NewCase, add_case, undo_case
from tests.mailbox import open_mailbox
from tests.tasks.conftest import QUICK

KIM = {"actor": "J. Kim", "address": "cli"}


class Sweeps:
    """Sweeps of a store with an evaluation on the page, and another one in files."""

    def __init__(self, small):
        self.small, self.of_the_file = small, f"{small.evaluation[:-1]}q"

    def look(self):
        """Sweep; return which evaluations it looked at."""
        looked, look = [], advance.advance_until_waiting
        with self.small.monkeypatch.context() as patch:
            patch.setattr(
                advance, "advance_until_waiting", lambda name: looked.append(name) or look(name)
            )
            advance.sweep()
        return sorted(looked)

    def rest(self):
        """Sweep until nothing is left to do."""
        assert [] in (self.look() for _ in range(4))

    def write(self, act, **facts):
        """Do something to the evaluation in a transaction."""
        with at_work() as work, writing(work.engine) as connection:
            return act(connection, work.case(self.small.evaluation), now=work.now, **facts)

    def receive(self, flag=""):
        """Take what R01 sends about an item, as the page hands it in."""
        with at_work() as work:
            round_ = OpenRound.last_of(work.case(self.small.evaluation))
            own = next(row for row in round_.assignments() if row.rater == "R01")
            sent = RawRating(
                assignment=own.assignment,
                rater="R01",
                values={"meaning": 4.0},
                event_id=f"e{flag}",
                rubric_hash=round_.rubric.rubric_hash,
                source="web",
                where="here",
                item_flag=flag or None,
            )
            assert receive(round_, [sent], now=work.now).accepted

    def item(self):
        return self.small.stored(list_assignments)[0].item


def from_a_file(sweeps):
    sweeps.small.rate(["R02"], count=1)


def from_the_page(sweeps):
    sweeps.receive()


def reported_beside_a_rating(sweeps):
    sweeps.receive("wrong_reference")


def excluded(sweeps, *, undo=False):
    new = NewExclusion(sweeps.item(), not undo, "privacy", "names a person", "J. Kim")
    sweeps.write(
        lambda connection, case, now: decide_exclusion(
            connection, case.standing, new, address="cli", now=now
        )
    )


def asked_for_again(sweeps):
    excluded(sweeps, undo=True)


def boundary_case(sweeps):
    text = CaseText({"en": "A digit"}, {"en": "Give 3."}, ("1", "2"))
    new = NewCase(sweeps.item(), "meaning", 3, text, "Raters differ.", "J. Kim")
    sweeps.write(
        lambda connection, case, now: add_case(connection, case.name, new, address="cli", now=now)
    )


def boundary_case_taken_back(sweeps):
    known = {**KIM, "reason": "It was wrong."}
    sweeps.write(
        lambda connection, case, now: undo_case(connection, case.name, 2, now=now, **known)
    )


def link_made(sweeps):
    sweeps.write(
        lambda connection, case, now: make_link(
            connection, case.name, "R01", number=1, created_by="J. Kim", now=now
        )
    )


def link_taken_away(sweeps):
    with at_work() as work:
        revoke(work, sweeps.small.evaluation, ["R01"], others=["R01"])


def link_asked_for(sweeps):
    sweeps.write(
        lambda connection, case, now: ask_for_link(
            connection, case.name, "R02", number=1, config=case.row.config, now=now, **KIM
        )
    )
    sweeps.small.at(20, 10)


def decision_asked_for(sweeps):
    asked = {"decision": "extend", "target": DecisionTarget(days=1), "reason": "late"}
    sweeps.write(
        lambda connection, case, now: add_request(
            connection, case.standing.position, actor="J. Kim", now=now, **asked
        )
    )


def decided(sweeps):
    sweeps.small.decide_only("extend", days=1)


def other_address_of_a_person(sweeps):
    """Any campaign that reads its raters may bring one."""
    sweeps.write(lambda connection, *_, now: keep_raters(connection, [NEWCOMER]))


def other_address_of_the_page(sweeps):
    sweeps.small.monkeypatch.setenv("OCRJURY_RATING_URL", "https://rate.example.com")


def people_signed_in_by_a_proxy(sweeps):
    sweeps.small.monkeypatch.setenv("OCRJURY_SIGN_IN_HEADER", "X-Email")


NEWCOMER = RaterEntry("Z01", email="z01@example.org")
OF_ONE = [
    from_a_file,
    from_the_page,
    reported_beside_a_rating,
    excluded,
    asked_for_again,
    boundary_case,
    boundary_case_taken_back,
    link_asked_for,
    decision_asked_for,
    decided,
    link_made,
]
OF_ALL = [other_address_of_a_person, other_address_of_the_page, people_signed_in_by_a_proxy]


@pytest.fixture
def sweeps(small):
    """An evaluation that is rated on the page until 27 November, and another one in files."""
    small.monkeypatch.setenv("OCRJURY_RATING_URL", "https://rate.example.org")
    small.columns = "pseudonym,role,email"
    small.people = [f"{name},rater,{name.lower()}@example.org" for name in ("R01", "R02", "R03")]
    with open_mailbox() as mailbox:
        server = {"host": "127.0.0.1", "port": mailbox.port, "sender": "o@example.org"}
        mail = {"mail": {**server, "starttls": False}, "worst_items": 1}
        plain = {"sampling": {"n": 12, "floor": 0}, "adaptive": {"max_rounds": 0}}
        small.write(rounds={"frontend": "file"}, **plain).open_only("q")
        small.write(rounds={"frontend": "web"}, report=mail, **plain).open_only("p")
        yield Sweeps(small)


def test_work_that_arises_is_seen_by_the_next_sweep_and_that_of_one_is_no_others(sweeps):
    one, unseen = sweeps.small.evaluation, []
    for arises in (*OF_ONE, *OF_ALL, link_taken_away):  # after that, R01 is shut out
        sweeps.rest()
        arises(sweeps)
        if sweeps.look() != [one, *([sweeps.of_the_file] if arises in OF_ALL else [])]:
            unseen.append(arises.__name__)

    assert unseen == []


@pytest.mark.usefixtures("database")
def test_what_is_due_by_time_is_seen_when_it_is_due_and_what_is_late_when_it_comes(sweeps):
    one, small = sweeps.small.evaluation, sweeps.small
    sweeps.rest()
    for day in (25, 27):  # the reminder, and the deadline
        small.at(day, 8)
        sweeps.rest()
        small.at(day, 10)
        assert one in sweeps.look()
    sweeps.rest()
    small.rate(["R03"], count=1)
    assert sweeps.look() == [one]


def test_an_evaluation_whose_report_was_not_delivered_never_rests(small):
    with open_mailbox() as mailbox:
        server = {"host": "127.0.0.1", "port": mailbox.port, "sender": "o@example.org"}
        mail = {"mail": {**server, "starttls": False}, "recipients": ["nobody@example.org"]}
        end = small.write(report={**mail, "worst_items": 1}, **QUICK).open()
        end = small.decide("proceed") if end.name == "Held" else end
        sweeps = Sweeps(small)

        assert end.name == "WaitingForDelivery", end.message
        assert [sweeps.look() for _ in range(3)] == [[small.evaluation]] * 3

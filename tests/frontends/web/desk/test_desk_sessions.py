"""Where leads are signed in, and how they sign out elsewhere, raters too."""

import pytest

from tests.frontends.web.test_sessions import listed


@pytest.mark.parametrize("wanted", ["one", "others"])
def test_a_lead_signs_out_elsewhere(rounds, at_desk, wanted):
    place, who = rounds(), f"J. Kim {wanted}"
    here, there = at_desk(place, who=who), at_desk(place, who=who)
    another = at_desk(place, who="M. Lee")

    page, numbers = listed(here, "/desk/sessions")
    assert "this browser" in page
    here.post("/desk/sessions", session=numbers[0] if wanted == "one" else wanted)
    if wanted == "others":
        assert there.ask("GET", "/desk").status == 303
        assert listed(here, "/desk/sessions")[1] == []

    assert here.ask("GET", "/desk").status == 200
    assert another.ask("GET", "/desk").status == 200


def test_a_lead_signs_a_rater_out_whose_link_goes_on(rounds, client_of, at_desk):
    place = rounds()
    rater, desk = client_of(place, "R01"), at_desk(place)

    done = desk.post(f"/desk/{place.evaluation}/links", rater="R01", change="sign_out")

    assert done.status == 303
    assert rater.open()[1] == 303
    assert rater.enter(place.link("R01")).status == 303

"""A link is mailed from the desk only where an email can be sent."""


def test_without_a_mail_server_a_link_is_not_mailed_and_the_desk_says_why(rounds, at_desk):
    place = rounds()
    desk = at_desk(place)

    answer = desk.post(f"/desk/{place.evaluation}/links", rater="R01", change="mail")

    assert answer.status == 409
    words = ("No email can name the rating page", "names no mail server")
    assert any(each in answer.text for each in words)
    assert place.ask("select * from link_requests") == []
    page = desk.ask("GET", f"/desk/{place.evaluation}/raters").text
    assert "New link" in page
    assert "Email a new link" not in page


def test_with_a_mail_server_the_desk_offers_to_mail_a_link(rounds, at_desk):
    mail = {"host": "mail.example.org", "sender": "ocr@example.org"}
    place = rounds(page={"report": {"mail": mail}})

    page = at_desk(place).ask("GET", f"/desk/{place.evaluation}/raters").text

    assert "Email a new link" in page

"""Pages of the desk of an evaluation, as its lead reads them."""

import os
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

from ocrjury.store.database import writing
from ocrjury.store.links import add_desk_link
from ocrjury.tasks import at_work
from tests.frontends.web.conftest import serving
from tests.frontends.web.desk.conftest import Desk


def page_of_the_desk(evaluation, page="", *, language="en"):
    """Sign in with a link of the lead, and read a page of an evaluation, its first by default."""
    with at_work() as work, writing(work.engine) as connection:
        expires = work.now + timedelta(days=1)
        code = add_desk_link(connection, "J. Kim", now=work.now, expires_at=expires)
        url = work.engine.url.render_as_string(hide_password=False)
    with serving(SimpleNamespace(home=Path(os.environ["OCRJURY_HOME"]), url=url)) as server:
        desk = Desk(SimpleNamespace(server=server))
        desk.enter(code)
        return desk.ask(
            "GET", f"/desk/{evaluation}/{page}".rstrip("/"), **{"Accept-Language": language}
        ).text

"""What the application takes of the desk: its routes, and what it answers in trouble."""

from fastapi import FastAPI

from ocrjury.frontends.web.audit_lines import noting
from ocrjury.frontends.web.desk import desk_forms, desk_pages, downloads, entering, interface
from ocrjury.frontends.web.desk.leads import DeskSignInNeeded, DeskTrouble
from ocrjury.frontends.web.desk.rendering import ask_to_sign_in, refuse


def add_desk(application: FastAPI) -> None:
    """Add the desk to the application of the rating page."""
    for module in (entering, downloads, desk_pages, desk_forms, interface):
        application.include_router(module.router)
    application.add_exception_handler(DeskTrouble, noting(refuse))
    application.add_exception_handler(DeskSignInNeeded, ask_to_sign_in)

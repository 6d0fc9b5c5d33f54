"""The rating page: a small web application on the store, without pandas, scipy or Prefect."""

from ocrjury.frontends.web.application import create_application
from ocrjury.frontends.web.site import Site

__all__ = ["Site", "create_application"]

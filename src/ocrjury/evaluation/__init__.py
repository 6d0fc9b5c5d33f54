"""One evaluation as stored: its case, rounds, truth, estimates, and what comes next."""

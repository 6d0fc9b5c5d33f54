import subprocess
import sys


def test_a_run_loads_no_spreadsheets_and_no_optimizer_before_it_needs_them():
    command = (
        "import sys, ocrjury.flows.advance_evaluation;"
        " print({'openpyxl', 'scipy.optimize'} & set(sys.modules))"
    )

    said = subprocess.run(
        [sys.executable, "-c", command], capture_output=True, text=True, check=True, timeout=120
    )

    assert said.stdout == "set()\n"

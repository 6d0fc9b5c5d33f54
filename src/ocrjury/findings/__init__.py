"""Findings: what was measured about an evaluation, as frozen records that store and pages share.

The modules here hold records and load nothing heavy, because the web process reads them;
`ocrjury.findings.measurement` computes them.
"""

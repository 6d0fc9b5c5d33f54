"""The computation of findings from ratings; needs pandas, so no record module imports it."""

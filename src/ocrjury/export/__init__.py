"""An evaluation as a folder of tables and one JSON file, for programs and for other people.

`ocrjury.export.tables` documents every column once; the files, the schema and the guide are drawn
from it. Nothing is computed here but what `ocrjury.evaluation.exported_ratings` adds to the
ratings.
"""

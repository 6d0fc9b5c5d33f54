"""Upper limits on the files of others: bytes, rows, cells, characters."""

MAX_BYTES = 64 << 20
"""Bytes of one unpacked OCR file; tables of a pool are streamed."""

MAX_TAGS = 2_000_000
"""Tags and attributes of an XML or HTML file."""

MAX_VALUES = 3_000_000
"""Values of a JSON file."""

MAX_ROWS = 500_000
"""Lines or words of one OCR file."""

MAX_LINE = 20_000_000
"""Characters of a line or record of a table; no page of text is as long."""

MAX_COLUMNS = 500
"""Columns of a table; of a pool its own and all others that any of its rows has."""

MAX_CHARACTERS = 2_000_000
"""Characters of a row of a pool in all its columns, which are about a thousand pages."""

MAX_LABEL = 1_000
"""Characters of an id, a label or the name of an image in a pool; reports print them."""

LONGEST_TAG = 100_000
"""Bytes between two ends of tags in HTML; parsing time is quadratic in a tag's attributes."""

MAX_CELLS = 3_000_000
"""Cells of a CSV file of raters, gold items or masks, told from its separators and ends of lines.

Of a table of ratings, of which most cells repeat others of their column: those that differ.
"""

MAX_TABLE = 400 << 20
"""Bytes of a table of ratings whose agreement is measured."""

MAX_TABLE_CELLS = 30_000_000
"""Cells of such a table, whether they differ or not."""

MAX_RATINGS = 5_000_000
"""Ratings of such a table."""

MAX_CELL = 131_072
"""Characters of a cell of such a file; Python's parser reads none that is longer."""

MAX_SHEET = 20 << 20
"""Bytes of a workbook, of a file of ratings to store, or of raters, gold items or masks."""

MAX_SHEET_ROWS = 100_000
"""Rows of such a file."""

MAX_RECORD = 1_000_000
"""Characters of a line of JSON in a file of gold items."""

"""The only SQL: tables, migrations, transactions, and files that are named by their content."""

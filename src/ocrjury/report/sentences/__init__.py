"""Every sentence of the report that depends on the numbers, one module per section."""

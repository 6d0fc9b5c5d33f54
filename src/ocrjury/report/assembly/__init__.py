"""From what is stored about an evaluation to the data of its report; nothing is estimated here."""

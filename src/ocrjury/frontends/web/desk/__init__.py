"""The lead's desk: what is stored about evaluations, and decisions that a flow will take."""

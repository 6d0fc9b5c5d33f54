"""Remarks of raters by evaluation, and what leads answered."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_FLAGGED = """
insert into remarks (assignment, evaluation, at)
select a.assignment, a.evaluation, min(said.at)
from (
    select assignment, at from ratings where flag is not null and flag <> 'cannot_judge'
    union all
    select assignment, at from comments
) as said
join assignments as a on a.assignment = said.assignment
group by a.assignment, a.evaluation
"""


def upgrade() -> None:
    """Add both tables, and find the remarks of earlier ratings."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "remarks",
        sa.Column("assignment", sa.Text, nullable=False),
        sa.Column("evaluation", sa.Text, nullable=False),
        sa.Column("at", moment, nullable=False),
        sa.PrimaryKeyConstraint("assignment", name="pk_remarks"),
        sa.ForeignKeyConstraint(
            ["assignment"], ["assignments.assignment"], name="fk_remarks_assignment_assignments"
        ),
    )
    op.create_index("ix_remarks_evaluation", "remarks", ["evaluation"])
    op.create_table(
        "answers",
        sa.Column("assignment", sa.Text, nullable=False),
        sa.Column("rev", sa.Integer, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("actor", sa.Text, nullable=False),
        sa.Column("at", moment, nullable=False),
        sa.PrimaryKeyConstraint("assignment", "rev", name="pk_answers"),
        sa.ForeignKeyConstraint(
            ["assignment"], ["assignments.assignment"], name="fk_answers_assignment_assignments"
        ),
        sa.CheckConstraint("kind in ('answer', 'read', 'excluded', 'restored')", name="kind"),
    )
    op.execute(_FLAGGED)

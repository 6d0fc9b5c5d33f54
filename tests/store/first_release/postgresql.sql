CREATE TABLE evaluations (
  evaluation TEXT NOT NULL,
  campaign TEXT NOT NULL,
  period TEXT NOT NULL,
  state TEXT NOT NULL,
  version INTEGER NOT NULL,
  held_from TEXT,
  held_reason TEXT,
  held_detail TEXT,
  config JSON NOT NULL,
  config_hash TEXT NOT NULL,
  config_path TEXT NOT NULL,
  rubric_hash TEXT NOT NULL,
  raters JSON NOT NULL,
  pool_uri TEXT NOT NULL,
  pool_hash TEXT,
  pool_size INTEGER,
  design JSON,
  seed BIGINT NOT NULL,
  package_version TEXT NOT NULL,
  simulated BOOLEAN NOT NULL,
  opened_at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_evaluations PRIMARY KEY (evaluation),
  CONSTRAINT ck_evaluations_state CHECK (state in ('opened', 'scored', 'sampled', 'collecting', 'rated', 'judged', 'held', 'estimated', 'reported', 'closed', 'aborted')),
  CONSTRAINT ck_evaluations_held CHECK ((state = 'held') = (held_reason is not null))
);
CREATE UNIQUE INDEX uq_evaluations_live ON evaluations (campaign, period) WHERE state <> 'aborted';
CREATE TABLE moves (
  evaluation TEXT NOT NULL,
  version INTEGER NOT NULL,
  row TEXT NOT NULL,
  from_state TEXT,
  to_state TEXT NOT NULL,
  event TEXT NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT,
  run_id TEXT,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_moves PRIMARY KEY (evaluation, version)
);
CREATE TABLE decisions (
  decision TEXT NOT NULL,
  evaluation TEXT NOT NULL,
  version INTEGER NOT NULL,
  kind TEXT NOT NULL,
  target JSON NOT NULL,
  reason TEXT NOT NULL,
  actor TEXT NOT NULL,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_decisions PRIMARY KEY (decision)
);
CREATE TABLE rubrics (
  rubric_hash TEXT NOT NULL,
  body JSON NOT NULL,
  CONSTRAINT pk_rubrics PRIMARY KEY (rubric_hash)
);
CREATE TABLE rubric_versions (
  evaluation TEXT NOT NULL,
  version INTEGER NOT NULL,
  rubric_hash TEXT NOT NULL,
  change TEXT NOT NULL,
  undoes INTEGER,
  item TEXT,
  dimension TEXT,
  reason TEXT NOT NULL,
  actor TEXT NOT NULL,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_rubric_versions PRIMARY KEY (evaluation, version),
  CONSTRAINT ck_rubric_versions_change CHECK (change in ('opening', 'case', 'undo'))
);
CREATE TABLE signals (
  signal TEXT NOT NULL,
  evaluation TEXT NOT NULL,
  name TEXT NOT NULL,
  payload JSON NOT NULL,
  created_at TIMESTAMP WITH TIME ZONE NOT NULL,
  sent_at TIMESTAMP WITH TIME ZONE,
  CONSTRAINT pk_signals PRIMARY KEY (signal)
);
CREATE TABLE requests (
  request TEXT NOT NULL,
  evaluation TEXT NOT NULL,
  version INTEGER NOT NULL,
  decision TEXT NOT NULL,
  target JSON NOT NULL,
  reason TEXT NOT NULL,
  actor TEXT NOT NULL,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  outcome TEXT,
  detail TEXT,
  settled_at TIMESTAMP WITH TIME ZONE,
  CONSTRAINT pk_requests PRIMARY KEY (request),
  CONSTRAINT ck_requests_outcome CHECK (outcome in ('taken', 'refused', 'overtaken'))
);
CREATE UNIQUE INDEX uq_requests_waiting ON requests (evaluation) WHERE outcome is null;
CREATE TABLE rests (
  evaluation TEXT NOT NULL,
  version INTEGER NOT NULL,
  line INTEGER NOT NULL,
  word TEXT NOT NULL,
  sentence TEXT NOT NULL,
  page TEXT NOT NULL,
  surroundings TEXT NOT NULL,
  until TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_rests PRIMARY KEY (evaluation)
);
CREATE TABLE purges (
  subject TEXT NOT NULL,
  number INTEGER NOT NULL,
  finished BOOLEAN NOT NULL,
  body JSON NOT NULL,
  actor TEXT NOT NULL,
  before TIMESTAMP WITH TIME ZONE,
  previous TEXT,
  sha256 TEXT NOT NULL,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_purges PRIMARY KEY (subject, number, finished)
);
CREATE TABLE verdicts (
  evaluation TEXT NOT NULL,
  round INTEGER NOT NULL,
  dimension TEXT NOT NULL,
  version INTEGER NOT NULL,
  decision TEXT NOT NULL,
  grade TEXT,
  reasons JSON NOT NULL,
  needed_items INTEGER,
  actions JSON NOT NULL,
  policy_hash TEXT NOT NULL,
  CONSTRAINT pk_verdicts PRIMARY KEY (evaluation, round, dimension, version),
  CONSTRAINT ck_verdicts_decision CHECK (decision in ('PASS', 'FAIL', 'INCONCLUSIVE'))
);
CREATE TABLE results (
  evaluation TEXT NOT NULL,
  round INTEGER NOT NULL,
  kind TEXT NOT NULL,
  dimension TEXT NOT NULL,
  version INTEGER NOT NULL,
  body JSON NOT NULL,
  inputs_hash TEXT NOT NULL,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_results PRIMARY KEY (evaluation, round, kind, dimension, version)
);
CREATE TABLE truths (
  evaluation TEXT NOT NULL,
  version INTEGER NOT NULL,
  item TEXT NOT NULL,
  dimension TEXT NOT NULL,
  label JSON NOT NULL,
  median FLOAT,
  mean FLOAT,
  confidence FLOAT NOT NULL,
  tied BOOLEAN NOT NULL,
  probabilities JSON NOT NULL,
  n_ratings INTEGER NOT NULL,
  CONSTRAINT pk_truths PRIMARY KEY (evaluation, version, item, dimension)
);
CREATE TABLE reports (
  evaluation TEXT NOT NULL,
  kind TEXT NOT NULL,
  language TEXT NOT NULL,
  version INTEGER NOT NULL,
  html_uri TEXT NOT NULL,
  pdf_uri TEXT,
  sha256 TEXT NOT NULL,
  inputs_hash TEXT NOT NULL,
  cover JSON NOT NULL,
  main BOOLEAN NOT NULL,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_reports PRIMARY KEY (evaluation, kind, language, version)
);
CREATE TABLE deliveries (
  message_id TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  evaluation TEXT NOT NULL,
  what TEXT NOT NULL,
  recipient TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  state TEXT NOT NULL,
  detail TEXT,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_deliveries PRIMARY KEY (message_id, attempt),
  CONSTRAINT ck_deliveries_state CHECK (state in ('sent', 'failed', 'given_up'))
);
CREATE UNIQUE INDEX uq_deliveries_sent ON deliveries (message_id) WHERE state = 'sent';
CREATE TABLE link_requests (
  evaluation TEXT NOT NULL,
  round INTEGER NOT NULL,
  rater TEXT NOT NULL,
  number INTEGER NOT NULL,
  actor TEXT NOT NULL,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_link_requests PRIMARY KEY (evaluation, round, rater, number)
);
CREATE TABLE sendings (
  message_id TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  evaluation TEXT NOT NULL,
  what TEXT NOT NULL,
  recipient TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_sendings PRIMARY KEY (message_id, attempt)
);
CREATE TABLE imports (
  file_hash TEXT NOT NULL,
  evaluation TEXT NOT NULL,
  round INTEGER NOT NULL,
  rater TEXT,
  rows INTEGER NOT NULL,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_imports PRIMARY KEY (file_hash, round)
);
CREATE TABLE notes (
  evaluation TEXT NOT NULL,
  round INTEGER NOT NULL,
  item TEXT NOT NULL,
  kind TEXT NOT NULL,
  rev INTEGER NOT NULL,
  body JSON NOT NULL,
  attendance JSON NOT NULL,
  actor TEXT NOT NULL,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_notes PRIMARY KEY (evaluation, round, item, kind, rev),
  CONSTRAINT ck_notes_kind CHECK (kind in ('adjudication', 'discussion', 'consensus'))
);
CREATE TABLE quarantine (
  evaluation TEXT NOT NULL,
  source TEXT NOT NULL,
  row TEXT NOT NULL,
  payload_hash TEXT NOT NULL,
  reason TEXT NOT NULL,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_quarantine PRIMARY KEY (evaluation, source, row, payload_hash)
);
CREATE TABLE documents (
  evaluation TEXT NOT NULL,
  doc_id TEXT NOT NULL,
  page_id TEXT NOT NULL,
  doc_type TEXT,
  language TEXT,
  kind TEXT,
  reference TEXT,
  image_uri TEXT,
  box JSON,
  scores JSON NOT NULL,
  purged_at TIMESTAMP WITH TIME ZONE,
  masks JSON,
  image_sha256 TEXT,
  field TEXT,
  CONSTRAINT pk_documents PRIMARY KEY (evaluation, doc_id)
);
CREATE TABLE shown_images (
  evaluation TEXT NOT NULL,
  doc_id TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_shown_images PRIMARY KEY (evaluation, doc_id, sha256)
);
CREATE TABLE items (
  evaluation TEXT NOT NULL,
  item TEXT NOT NULL,
  doc_id TEXT NOT NULL,
  system TEXT NOT NULL,
  hypothesis TEXT NOT NULL,
  confidence FLOAT,
  purpose TEXT NOT NULL,
  inclusion_probability FLOAT,
  stratum TEXT,
  reason TEXT,
  draw_number INTEGER,
  CONSTRAINT pk_items PRIMARY KEY (evaluation, item),
  CONSTRAINT uq_items_evaluation_doc_id_system UNIQUE (evaluation, doc_id, system),
  CONSTRAINT ck_items_purpose CHECK (purpose in ('sample', 'gold', 'pilot')),
  CONSTRAINT ck_items_sampled CHECK ((purpose = 'sample') = (inclusion_probability is not null)),
  CONSTRAINT ck_items_probability CHECK (inclusion_probability is null or (inclusion_probability > 0 and inclusion_probability <= 1))
);
CREATE TABLE exclusions (
  evaluation TEXT NOT NULL,
  item TEXT NOT NULL,
  rev INTEGER NOT NULL,
  excluded BOOLEAN NOT NULL,
  category TEXT NOT NULL,
  reason TEXT NOT NULL,
  withdrawn JSON NOT NULL,
  after_verdict BOOLEAN NOT NULL,
  actor TEXT NOT NULL,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_exclusions PRIMARY KEY (evaluation, item, rev),
  CONSTRAINT ck_exclusions_category CHECK (category in ('unreadable', 'wrong_image', 'wrong_reference', 'privacy', 'other'))
);
CREATE TABLE raters (
  rater TEXT NOT NULL,
  pseudonym TEXT NOT NULL,
  name TEXT,
  email TEXT,
  languages JSON NOT NULL,
  skills JSON NOT NULL,
  conflicts JSON NOT NULL,
  role TEXT NOT NULL,
  cost FLOAT NOT NULL,
  minutes_per_item FLOAT,
  capacity INTEGER,
  absences JSON NOT NULL,
  active BOOLEAN NOT NULL,
  forgotten_at TIMESTAMP WITH TIME ZONE,
  CONSTRAINT pk_raters PRIMARY KEY (rater),
  CONSTRAINT uq_raters_pseudonym UNIQUE (pseudonym)
);
CREATE TABLE tokens (
  token_hash TEXT NOT NULL,
  purpose TEXT NOT NULL,
  rater TEXT,
  evaluation TEXT,
  round INTEGER,
  created_at TIMESTAMP WITH TIME ZONE NOT NULL,
  created_by TEXT NOT NULL,
  expires_at TIMESTAMP WITH TIME ZONE,
  revoked_at TIMESTAMP WITH TIME ZONE,
  used_at TIMESTAMP WITH TIME ZONE,
  scope JSON,
  CONSTRAINT pk_tokens PRIMARY KEY (token_hash),
  CONSTRAINT ck_tokens_purpose CHECK (purpose in ('rating', 'desk')),
  CONSTRAINT ck_tokens_whose CHECK (purpose <> 'rating' or (rater is not null and evaluation is not null))
);
CREATE INDEX ix_tokens_rater ON tokens (evaluation, rater);
CREATE TABLE second_factors (
  lead TEXT NOT NULL,
  key TEXT NOT NULL,
  created_at TIMESTAMP WITH TIME ZONE NOT NULL,
  last_step INTEGER,
  CONSTRAINT pk_second_factors PRIMARY KEY (lead)
);
CREATE TABLE audit (
  seq SERIAL NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  object TEXT NOT NULL,
  address TEXT NOT NULL,
  reason TEXT,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  previous TEXT,
  sha256 TEXT NOT NULL,
  CONSTRAINT pk_audit PRIMARY KEY (seq)
);
CREATE INDEX ix_audit_at ON audit (at);
CREATE TABLE rounds (
  evaluation TEXT NOT NULL,
  round INTEGER NOT NULL,
  kind TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  state TEXT NOT NULL,
  rule TEXT NOT NULL,
  dimensions JSON NOT NULL,
  frontend TEXT NOT NULL,
  replanned BOOLEAN NOT NULL,
  opened_at TIMESTAMP WITH TIME ZONE NOT NULL,
  deadline TIMESTAMP WITH TIME ZONE NOT NULL,
  closed_at TIMESTAMP WITH TIME ZONE,
  closed_by TEXT,
  CONSTRAINT pk_rounds PRIMARY KEY (evaluation, round),
  CONSTRAINT ck_rounds_kind CHECK (kind in ('pilot', 'main', 'adaptive', 'adjudication', 'panel')),
  CONSTRAINT ck_rounds_state CHECK (state in ('planned', 'open', 'closed', 'dropped'))
);
CREATE UNIQUE INDEX uq_rounds_open ON rounds (evaluation) WHERE state = 'open';
CREATE TABLE set_aside (
  evaluation TEXT NOT NULL,
  assignment TEXT NOT NULL,
  dimension TEXT NOT NULL,
  decision TEXT NOT NULL,
  CONSTRAINT pk_set_aside PRIMARY KEY (assignment, dimension)
);
CREATE TABLE gold (
  evaluation TEXT NOT NULL,
  item TEXT NOT NULL,
  dimension TEXT NOT NULL,
  value FLOAT NOT NULL,
  explanation TEXT NOT NULL,
  source TEXT NOT NULL,
  CONSTRAINT pk_gold PRIMARY KEY (evaluation, item, dimension),
  CONSTRAINT fk_gold_evaluation_item FOREIGN KEY(evaluation, item) REFERENCES items (evaluation, item),
  CONSTRAINT ck_gold_source CHECK (source in ('file', 'adjudicated', 'consensus'))
);
CREATE TABLE registries (
  evaluation TEXT NOT NULL,
  rater TEXT NOT NULL,
  entry JSON NOT NULL,
  CONSTRAINT pk_registries PRIMARY KEY (evaluation, rater),
  CONSTRAINT fk_registries_rater FOREIGN KEY(rater) REFERENCES raters (rater)
);
CREATE TABLE sessions (
  session_hash TEXT NOT NULL,
  token_hash TEXT NOT NULL,
  created_at TIMESTAMP WITH TIME ZONE NOT NULL,
  last_seen TIMESTAMP WITH TIME ZONE NOT NULL,
  working_since TIMESTAMP WITH TIME ZONE NOT NULL,
  ended_at TIMESTAMP WITH TIME ZONE,
  address TEXT,
  client TEXT,
  CONSTRAINT pk_sessions PRIMARY KEY (session_hash),
  CONSTRAINT fk_sessions_token_hash FOREIGN KEY(token_hash) REFERENCES tokens (token_hash)
);
CREATE TABLE assignments (
  assignment TEXT NOT NULL,
  evaluation TEXT NOT NULL,
  round INTEGER NOT NULL,
  item TEXT NOT NULL,
  rater TEXT NOT NULL,
  repeat INTEGER NOT NULL,
  position INTEGER NOT NULL,
  session INTEGER NOT NULL,
  state TEXT NOT NULL,
  reason TEXT NOT NULL,
  gain FLOAT,
  postponed_at TIMESTAMP WITH TIME ZONE,
  work_name TEXT,
  CONSTRAINT pk_assignments PRIMARY KEY (assignment),
  CONSTRAINT uq_assignments_evaluation_round_item_rater_repeat UNIQUE (evaluation, round, item, rater, repeat),
  CONSTRAINT uq_assignments_evaluation_round_rater_position UNIQUE (evaluation, round, rater, position),
  CONSTRAINT fk_assignments_evaluation_round FOREIGN KEY(evaluation, round) REFERENCES rounds (evaluation, round),
  CONSTRAINT fk_assignments_evaluation_item FOREIGN KEY(evaluation, item) REFERENCES items (evaluation, item),
  CONSTRAINT fk_assignments_rater FOREIGN KEY(rater) REFERENCES raters (rater),
  CONSTRAINT ck_assignments_state CHECK (state in ('open', 'done', 'withdrawn'))
);
CREATE INDEX ix_assignments_queue ON assignments (evaluation, round, state);
CREATE INDEX ix_assignments_progress ON assignments (evaluation, round, item, repeat, state);
CREATE TABLE visits (
  visit TEXT NOT NULL,
  assignment TEXT NOT NULL,
  session_hash TEXT NOT NULL,
  first_open TIMESTAMP WITH TIME ZONE NOT NULL,
  submitted_at TIMESTAMP WITH TIME ZONE,
  wall_ms BIGINT,
  active_ms BIGINT,
  conditions JSON,
  client TEXT,
  sent_ahead TIMESTAMP WITH TIME ZONE,
  CONSTRAINT pk_visits PRIMARY KEY (visit),
  CONSTRAINT fk_visits_assignment FOREIGN KEY(assignment) REFERENCES assignments (assignment)
);
CREATE INDEX ix_visits_assignment ON visits (assignment);
CREATE TABLE drafts (
  assignment TEXT NOT NULL,
  rev INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  body JSON NOT NULL,
  locked BOOLEAN NOT NULL,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_drafts PRIMARY KEY (assignment),
  CONSTRAINT fk_drafts_assignment FOREIGN KEY(assignment) REFERENCES assignments (assignment)
);
CREATE TABLE comments (
  assignment TEXT NOT NULL,
  rev INTEGER NOT NULL,
  letter TEXT NOT NULL,
  body TEXT NOT NULL,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_comments PRIMARY KEY (assignment, rev),
  CONSTRAINT fk_comments_assignment FOREIGN KEY(assignment) REFERENCES assignments (assignment)
);
CREATE TABLE item_flags (
  assignment TEXT NOT NULL,
  rev INTEGER NOT NULL,
  reason TEXT NOT NULL,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_item_flags PRIMARY KEY (assignment, rev),
  CONSTRAINT fk_item_flags_assignment FOREIGN KEY(assignment) REFERENCES assignments (assignment)
);
CREATE TABLE remarks (
  assignment TEXT NOT NULL,
  evaluation TEXT NOT NULL,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_remarks PRIMARY KEY (assignment),
  CONSTRAINT fk_remarks_assignment FOREIGN KEY(assignment) REFERENCES assignments (assignment)
);
CREATE INDEX ix_remarks_evaluation ON remarks (evaluation);
CREATE TABLE answers (
  assignment TEXT NOT NULL,
  rev INTEGER NOT NULL,
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  actor TEXT NOT NULL,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_answers PRIMARY KEY (assignment, rev),
  CONSTRAINT ck_answers_kind CHECK (kind in ('answer', 'read', 'excluded', 'restored')),
  CONSTRAINT fk_answers_assignment FOREIGN KEY(assignment) REFERENCES assignments (assignment)
);
CREATE TABLE rule_flags (
  assignment TEXT NOT NULL,
  dimension TEXT NOT NULL,
  rev INTEGER NOT NULL,
  rule TEXT NOT NULL,
  level FLOAT NOT NULL,
  max_level FLOAT NOT NULL,
  shown BOOLEAN NOT NULL,
  CONSTRAINT pk_rule_flags PRIMARY KEY (assignment, dimension, rev, rule),
  CONSTRAINT fk_rule_flags_assignment FOREIGN KEY(assignment) REFERENCES assignments (assignment)
);
CREATE TABLE ratings (
  rating_id TEXT NOT NULL,
  assignment TEXT NOT NULL,
  dimension TEXT NOT NULL,
  rev INTEGER NOT NULL,
  value FLOAT,
  flag TEXT,
  confidence FLOAT,
  event_id TEXT NOT NULL,
  rubric_hash TEXT NOT NULL,
  source TEXT NOT NULL,
  at TIMESTAMP WITH TIME ZONE NOT NULL,
  CONSTRAINT pk_ratings PRIMARY KEY (rating_id),
  CONSTRAINT uq_ratings_assignment_dimension_rev UNIQUE (assignment, dimension, rev),
  CONSTRAINT uq_ratings_event_id_dimension UNIQUE (event_id, dimension),
  CONSTRAINT ck_ratings_one CHECK ((value is null) <> (flag is null)),
  CONSTRAINT ck_ratings_source CHECK (source in ('web', 'sheet', 'labelstudio', 'file', 'simulated')),
  CONSTRAINT fk_ratings_assignment FOREIGN KEY(assignment) REFERENCES assignments (assignment)
);
create or replace function forbid_changes_moves() returns trigger language plpgsql as $$ begin  raise exception 'rows of moves never change: insert a new row instead'; end $$;
create trigger moves_insert_only before update or delete on moves for each row execute function forbid_changes_moves();
create trigger moves_no_truncate before truncate on moves for each statement execute function forbid_changes_moves();
create or replace function forbid_changes_decisions() returns trigger language plpgsql as $$ begin  raise exception 'rows of decisions never change: insert a new row instead'; end $$;
create trigger decisions_insert_only before update or delete on decisions for each row execute function forbid_changes_decisions();
create trigger decisions_no_truncate before truncate on decisions for each statement execute function forbid_changes_decisions();
create or replace function forbid_changes_purges() returns trigger language plpgsql as $$ begin  raise exception 'rows of purges never change: insert a new row instead'; end $$;
create trigger purges_insert_only before update or delete on purges for each row execute function forbid_changes_purges();
create trigger purges_no_truncate before truncate on purges for each statement execute function forbid_changes_purges();
create or replace function forbid_changes_rubric_versions() returns trigger language plpgsql as $$ begin  raise exception 'rows of rubric_versions never change: insert a new row instead'; end $$;
create trigger rubric_versions_insert_only before update or delete on rubric_versions for each row execute function forbid_changes_rubric_versions();
create trigger rubric_versions_no_truncate before truncate on rubric_versions for each statement execute function forbid_changes_rubric_versions();
create or replace function forbid_changes_ratings() returns trigger language plpgsql as $$ begin  raise exception 'rows of ratings never change: insert a new row instead'; end $$;
create trigger ratings_insert_only before update or delete on ratings for each row execute function forbid_changes_ratings();
create trigger ratings_no_truncate before truncate on ratings for each statement execute function forbid_changes_ratings();
create or replace function forbid_changes_set_aside() returns trigger language plpgsql as $$ begin  raise exception 'rows of set_aside never change: insert a new row instead'; end $$;
create trigger set_aside_insert_only before update or delete on set_aside for each row execute function forbid_changes_set_aside();
create trigger set_aside_no_truncate before truncate on set_aside for each statement execute function forbid_changes_set_aside();
create or replace function forbid_changes_verdicts() returns trigger language plpgsql as $$ begin  raise exception 'rows of verdicts never change: insert a new row instead'; end $$;
create trigger verdicts_insert_only before update or delete on verdicts for each row execute function forbid_changes_verdicts();
create trigger verdicts_no_truncate before truncate on verdicts for each statement execute function forbid_changes_verdicts();
create or replace function forbid_changes_results() returns trigger language plpgsql as $$ begin  raise exception 'rows of results never change: insert a new row instead'; end $$;
create trigger results_insert_only before update or delete on results for each row execute function forbid_changes_results();
create trigger results_no_truncate before truncate on results for each statement execute function forbid_changes_results();
create or replace function forbid_changes_truths() returns trigger language plpgsql as $$ begin  raise exception 'rows of truths never change: insert a new row instead'; end $$;
create trigger truths_insert_only before update or delete on truths for each row execute function forbid_changes_truths();
create trigger truths_no_truncate before truncate on truths for each statement execute function forbid_changes_truths();
create or replace function forbid_changes_reports() returns trigger language plpgsql as $$ begin  raise exception 'rows of reports never change: insert a new row instead'; end $$;
create trigger reports_insert_only before update or delete on reports for each row execute function forbid_changes_reports();
create trigger reports_no_truncate before truncate on reports for each statement execute function forbid_changes_reports();
create or replace function forbid_changes_deliveries() returns trigger language plpgsql as $$ begin  raise exception 'rows of deliveries never change: insert a new row instead'; end $$;
create trigger deliveries_insert_only before update or delete on deliveries for each row execute function forbid_changes_deliveries();
create trigger deliveries_no_truncate before truncate on deliveries for each statement execute function forbid_changes_deliveries();
create or replace function forbid_changes_sendings() returns trigger language plpgsql as $$ begin  raise exception 'rows of sendings never change: insert a new row instead'; end $$;
create trigger sendings_insert_only before update or delete on sendings for each row execute function forbid_changes_sendings();
create trigger sendings_no_truncate before truncate on sendings for each statement execute function forbid_changes_sendings();
create or replace function forbid_changes_link_requests() returns trigger language plpgsql as $$ begin  raise exception 'rows of link_requests never change: insert a new row instead'; end $$;
create trigger link_requests_insert_only before update or delete on link_requests for each row execute function forbid_changes_link_requests();
create trigger link_requests_no_truncate before truncate on link_requests for each statement execute function forbid_changes_link_requests();
create or replace function forbid_changes_quarantine() returns trigger language plpgsql as $$ begin  raise exception 'rows of quarantine never change: insert a new row instead'; end $$;
create trigger quarantine_insert_only before update or delete on quarantine for each row execute function forbid_changes_quarantine();
create trigger quarantine_no_truncate before truncate on quarantine for each statement execute function forbid_changes_quarantine();
create or replace function forbid_changes_item_flags() returns trigger language plpgsql as $$ begin  raise exception 'rows of item_flags never change: insert a new row instead'; end $$;
create trigger item_flags_insert_only before update or delete on item_flags for each row execute function forbid_changes_item_flags();
create trigger item_flags_no_truncate before truncate on item_flags for each statement execute function forbid_changes_item_flags();
create or replace function forbid_changes_audit() returns trigger language plpgsql as $$ begin if tg_op = 'DELETE' then if exists (select 1 from purges where subject = 'audit' and before > old.at) then return old; end if; end if; raise exception 'rows of audit never change: insert a new row instead'; end $$;
create trigger audit_insert_only before update or delete on audit for each row execute function forbid_changes_audit();
create trigger audit_no_truncate before truncate on audit for each statement execute function forbid_changes_audit();
create or replace function forbid_changes_shown_images() returns trigger language plpgsql as $$ begin  raise exception 'rows of shown_images never change: insert a new row instead'; end $$;
create trigger shown_images_insert_only before update or delete on shown_images for each row execute function forbid_changes_shown_images();
create trigger shown_images_no_truncate before truncate on shown_images for each statement execute function forbid_changes_shown_images();
create or replace function forbid_changes_exclusions() returns trigger language plpgsql as $$ begin  raise exception 'rows of exclusions never change: insert a new row instead'; end $$;
create trigger exclusions_insert_only before update or delete on exclusions for each row execute function forbid_changes_exclusions();
create trigger exclusions_no_truncate before truncate on exclusions for each statement execute function forbid_changes_exclusions();
CREATE TABLE alembic_version (
  version_num VARCHAR(32) NOT NULL,
  CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO alembic_version (version_num) VALUES ('0009') RETURNING alembic_version.version_num;

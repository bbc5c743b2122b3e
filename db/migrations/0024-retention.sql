-- What is over its age is found without looking at all of it.
CREATE INDEX sign_ins_expiry ON sign_ins (expires_at);
CREATE INDEX run_intents_created ON run_intents (created_at);
CREATE INDEX capability_reports_closed ON capability_reports (closed_at) WHERE closed_at IS NOT NULL;

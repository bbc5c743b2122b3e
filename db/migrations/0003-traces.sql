CREATE TABLE spans (
  trace_id TEXT NOT NULL,
  span_id TEXT NOT NULL,
  parent_span_id TEXT,
  name TEXT NOT NULL,
  kind TEXT NOT NULL,
  started_at TEXT NOT NULL,
  duration_ms DOUBLE PRECISION NOT NULL,
  status TEXT NOT NULL,
  attributes TEXT NOT NULL,
  events TEXT NOT NULL,
  PRIMARY KEY (trace_id, span_id)
);

CREATE INDEX spans_started ON spans (started_at);

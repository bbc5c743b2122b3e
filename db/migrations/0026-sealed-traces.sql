-- The span of another trace that led to this one, such as the caller's own; NULL for none.
ALTER TABLE spans ADD COLUMN link_trace_id TEXT;
ALTER TABLE spans ADD COLUMN link_span_id TEXT;
CREATE INDEX spans_linked ON spans (link_trace_id, user_id) WHERE link_trace_id IS NOT NULL;

-- Traces whose digest a receipt has signed: no span is added to them. No reference: a trace is sealed before its task ends.
CREATE TABLE sealed_traces (
  trace_id TEXT PRIMARY KEY,
  user_id TEXT,
  sealed_at TEXT NOT NULL
);

CREATE INDEX sealed_traces_sealed ON sealed_traces (sealed_at);
CREATE INDEX sealed_traces_user ON sealed_traces (user_id);

-- Vectors of single tools of capabilities, as those of capabilities in search_vectors. `tool` is its name.
CREATE TABLE search_tool_vectors (
  capability_id TEXT NOT NULL,
  tool TEXT NOT NULL,
  space TEXT NOT NULL,
  digest TEXT NOT NULL,
  vector TEXT NOT NULL,
  seq BIGINT NOT NULL,
  PRIMARY KEY (capability_id, tool)
);
CREATE INDEX search_tool_vectors_digest ON search_tool_vectors (digest);
CREATE INDEX search_tool_vectors_seq ON search_tool_vectors (seq, capability_id, tool);

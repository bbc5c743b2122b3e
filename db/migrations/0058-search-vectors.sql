-- Vectors of capabilities by an embedding model of the operator. `space` names the model and its settings, `digest` is the SHA-256 of
-- the text that it was given. `vector` has signed bytes in base64; '' if the model refused the text. Indexes follow `seq`.
CREATE TABLE search_vectors (
  capability_id TEXT PRIMARY KEY,
  space TEXT NOT NULL,
  digest TEXT NOT NULL,
  vector TEXT NOT NULL,
  seq BIGINT NOT NULL
);
CREATE INDEX search_vectors_digest ON search_vectors (digest);
CREATE INDEX search_vectors_seq ON search_vectors (seq, capability_id);

-- The newest seq that indexes may read; how far capabilities and published listings have vectors; a number from the space.
INSERT INTO change_counters (name, value) VALUES ('search_vectors', 0);
INSERT INTO change_counters (name, value) VALUES ('search_vectors_capabilities', 0);
INSERT INTO change_counters (name, value) VALUES ('search_vectors_published', 0);
INSERT INTO change_counters (name, value) VALUES ('search_vectors_space', 0);

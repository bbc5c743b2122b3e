-- What an account keeps in harnesses. Whoever writes holds its row, so that limits and preconditions are exact. `made`
-- numbers the memories, deleted ones too.
CREATE TABLE harness_usage (
  user_id TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  harnesses INTEGER NOT NULL,
  memories INTEGER NOT NULL,
  bytes BIGINT NOT NULL,
  made INTEGER NOT NULL
);

-- A harness as its newest version has it. `number` stands for the id in the tables below, of which one is long.
CREATE TABLE harnesses (
  id TEXT PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  version INTEGER NOT NULL,
  digest TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (user_id, name)
);

INSERT INTO change_counters (name, value) VALUES ('harnesses', 0);

-- `files` is JSON: path, and content or base64, of each.
CREATE TABLE harness_versions (
  harness INTEGER NOT NULL REFERENCES harnesses (number) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  digest TEXT NOT NULL,
  note TEXT NOT NULL,
  files TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  PRIMARY KEY (harness, version)
);

-- A memory as its newest version has it; sha256 is null where that deletes it. `place` is the path folded, as digits:
-- they sort alike in every collation.
CREATE TABLE memories (
  harness INTEGER NOT NULL REFERENCES harnesses (number) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  path TEXT NOT NULL,
  place TEXT NOT NULL,
  version INTEGER NOT NULL,
  sha256 TEXT,
  size INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (harness, number),
  UNIQUE (harness, place)
);

-- content is null where the version deletes, or was redacted: then sha256 and the reason stay.
CREATE TABLE memory_versions (
  harness INTEGER NOT NULL,
  memory INTEGER NOT NULL,
  version INTEGER NOT NULL,
  change TEXT NOT NULL,
  sha256 TEXT,
  size INTEGER NOT NULL,
  content TEXT,
  restored_from INTEGER,
  note TEXT NOT NULL,
  created_at TEXT NOT NULL,
  redacted_at TEXT,
  redacted_reason TEXT,
  PRIMARY KEY (harness, memory, version),
  FOREIGN KEY (harness, memory) REFERENCES memories (harness, number) ON DELETE CASCADE
);

-- The words of each memory's newest version, folded and as digits. No key: both indexes have all that is asked.
CREATE TABLE memory_words (
  harness INTEGER NOT NULL REFERENCES harnesses (number) ON DELETE CASCADE,
  word TEXT NOT NULL,
  memory INTEGER NOT NULL,
  weight INTEGER NOT NULL
);

CREATE INDEX memory_words_word ON memory_words (harness, word, memory, weight);
CREATE INDEX memory_words_memory ON memory_words (harness, memory);

CREATE TABLE context_blocks (
  harness INTEGER NOT NULL REFERENCES harnesses (number) ON DELETE CASCADE,
  label TEXT NOT NULL,
  description TEXT NOT NULL,
  content TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  max_characters INTEGER NOT NULL,
  read_only INTEGER NOT NULL,
  version INTEGER NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (harness, label)
);

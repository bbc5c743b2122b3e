/** The tables of 0011-harnesses.sql, column for column. */

export interface HarnessesSchema {
  harness_usage: HarnessUsageRow;
  harnesses: HarnessRow;
  harness_versions: HarnessVersionRow;
  memories: MemoryRow;
  memory_versions: MemoryVersionRow;
  memory_words: { harness: number; word: string; memory: number; weight: number };
  context_blocks: ContextBlockRow;
}

export interface HarnessUsageRow {
  user_id: string;
  harnesses: number;
  memories: number;
  bytes: number;
  made: number;
}

export interface HarnessRow {
  id: string;
  number: number;
  user_id: string;
  name: string;
  description: string;
  version: number;
  digest: string;
  created_at: string;
  updated_at: string;
}

export interface HarnessVersionRow {
  harness: number;
  version: number;
  name: string;
  description: string;
  digest: string;
  note: string;
  files: string;
  bytes: number;
  created_at: string;
}

export interface MemoryRow {
  harness: number;
  number: number;
  path: string;
  place: string;
  version: number;
  sha256: string | null;
  size: number;
  created_at: string;
  updated_at: string;
}

export interface MemoryVersionRow {
  harness: number;
  memory: number;
  version: number;
  change: string;
  sha256: string | null;
  size: number;
  content: string | null;
  restored_from: number | null;
  note: string;
  created_at: string;
  redacted_at: string | null;
  redacted_reason: string | null;
}

interface ContextBlockRow {
  harness: number;
  label: string;
  description: string;
  content: string;
  sha256: string;
  max_characters: number;
  read_only: number;
  version: number;
  updated_at: string;
}

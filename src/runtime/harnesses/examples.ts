/** Shapes for the contract's examples. */

const HARNESS_ID = '019a8c1e-7f00-7000-8000-5d1f6f4f9a21';

export const HARNESS_MD_EXAMPLE = `---
name: release-notes
description: Writes release notes from merged changes. Use it before a release.
---

# Release notes

1. List the changes since the last tag.
2. Group them, and answer with one line each.
`;

export const DIGEST_EXAMPLE = 'sha256:2c6f5d3b8a1e4f7092c3d4e5f60718293a4b5c6d7e8f9001122334455667788a';
const SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export const LINE_EXAMPLE = {
  id: HARNESS_ID,
  name: 'release-notes',
  description: 'Writes release notes from merged changes. Use it before a release.',
  version: 2,
  digest: DIGEST_EXAMPLE,
  created_at: '2026-11-20T12:00:00.000Z',
  updated_at: '2026-11-21T08:30:00.000Z',
};

const FILE_EXAMPLE = { path: 'HARNESS.md', content: HARNESS_MD_EXAMPLE };

export const DETAIL_EXAMPLE = {
  ...LINE_EXAMPLE,
  newest_version: 2,
  note: 'Group the changes',
  memory_count: 12,
  files: [{ ...FILE_EXAMPLE, size: 217, sha256: SHA256 }],
  versions: [
    { version: 2, digest: DIGEST_EXAMPLE, note: 'Group the changes', created_at: '2026-11-21T08:30:00.000Z' },
    { version: 1, digest: `sha256:${SHA256}`, note: '', created_at: '2026-11-20T12:00:00.000Z' },
  ],
};

export const DIRECTORY_EXAMPLE = {
  files: [FILE_EXAMPLE, { path: 'memory/style/tense.md', content: 'Write in the present tense.\n' }],
  digest: DIGEST_EXAMPLE,
};

export const MADE_EXAMPLE = { ...LINE_EXAMPLE, version: 1, is_new: true, warnings: [] };

export const MEMORY_LINE_EXAMPLE = {
  path: 'style/tense.md',
  version: 3,
  sha256: SHA256 as string | null,
  size: 28,
  updated_at: '2026-11-21T09:00:00.000Z',
};

export const MEMORY_VERSION_EXAMPLE = {
  version: 3,
  change: 'write' as const,
  sha256: SHA256 as string | null,
  size: 28,
  restored_from: null,
  note: 'After the review',
  created_at: '2026-11-21T09:00:00.000Z',
  redacted: null,
};

export const MEMORY_EXAMPLE = {
  path: 'style/tense.md',
  ...MEMORY_VERSION_EXAMPLE,
  content: 'Write in the present tense.\n',
  is_newest: true,
};

export const BLOCK_EXAMPLE = {
  label: 'audience',
  description: 'Whom the notes are for.',
  content: 'Operators who read three lines.',
  sha256: SHA256,
  max_characters: 2_000,
  read_only: false,
  version: 1,
  updated_at: '2026-11-20T12:00:00.000Z',
};

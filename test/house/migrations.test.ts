import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILES, read } from './tree.ts';

/** While an upgrade rolls, the version before works on the new schema: db/README.md. */

/** What a program that knows nothing of it would trip over. */
const TAKES_AWAY =
  /\bDROP\s+(?:TABLE|COLUMN)\b|\bRENAME\b|\bALTER\s+COLUMN\b|\bADD\s+(?:COLUMN\s+)?\w+\s+\w+\s+NOT\s+NULL(?![^;]*\bDEFAULT\b)/i;
const MARK = /^-- Unused since (\d+\.\d+\.\d+)\b/m;

/** Statements, each with the comment above it, that the version before may not live with. */
function refused(sql: string, releases: readonly string[]): string[] {
  return sql.split(/;\s*$/m).filter((text) => {
    const statement = text.replace(/^\s*--.*$/gm, '');
    if (!TAKES_AWAY.test(statement)) return false;
    const since = MARK.exec(text)?.[1];
    return since === undefined || !releases.includes(since);
  });
}

/** Those that are out: what is still made may change its mind. */
const RELEASES = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+)(?!.*unreleased)/gm)].map(
  ([, match]) => match as string,
);

/** Of before the rule; 0023 puts back what the version before it writes to. */
const BEFORE_THE_RULE = ['db/migrations/0022-audit-log.sql'];

test('no migration drops, renames or tightens anything that the previous version uses', () => {
  const migrations = FILES.filter((path) => /^db\/migrations\/.*\.sql$/.test(path));
  const judged = migrations.filter((path) => !BEFORE_THE_RULE.includes(path));
  assert.ok(migrations.length >= 20);
  const found = judged.flatMap((path) => refused(read(path), RELEASES).map((text) => `${path}: ${text.trim()}`));
  assert.deepEqual(found, []);
});

test('migrations are numbered from 1 without gaps or duplicates', () => {
  const numbers = FILES.flatMap((path) => /^db\/migrations\/(\d{4})-[^/]+\.sql$/.exec(path)?.[1] ?? []).map(Number);
  assert.deepEqual(
    numbers.toSorted((a, b) => a - b),
    numbers.map((_, at) => at + 1),
  );
});

test('destructive SQL is detected unless a comment names the release since which it is unused', () => {
  const bad = [
    'DROP TABLE a;',
    'ALTER TABLE a DROP COLUMN b;',
    'ALTER TABLE a\n  RENAME COLUMN b TO c;',
    'ALTER TABLE a ADD COLUMN b TEXT NOT NULL;',
    '-- Unused since 9.9.9\nDROP TABLE a;',
  ];
  for (const sql of bad) assert.equal(refused(sql, ['0.1.0']).length, 1, sql);
  const good = [
    '-- Nobody would DROP TABLE here.\nCREATE TABLE a (b TEXT NOT NULL);',
    "ALTER TABLE a ADD COLUMN b TEXT NOT NULL DEFAULT '';",
    'DROP INDEX a;',
    '-- Unused since 0.1.0: its place is c.\nALTER TABLE a DROP COLUMN b;',
  ];
  for (const sql of good) assert.deepEqual(refused(sql, ['0.1.0']), [], sql);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SETTINGS } from '#app/settings.ts';
import { flatten } from '#core/config/config.ts';
import { EXPIRING_TABLES } from '#core/db/remove-expired.ts';
import { FILES, read } from './tree.ts';

/** Each table either loses rows by a rule or is named as kept permanently: docs/guides/retention.md says which. */

const statements = FILES.filter((path) => path.startsWith('db/migrations/'))
  .map(read)
  .join('\n');
const namesOf = (pattern: RegExp): string[] => [...statements.matchAll(pattern)].map((match) => match[1] as string);
/** In their order: what was dropped may have come back. */
const standing = new Set<string>();
for (const [, verb, name = ''] of statements.matchAll(/^(CREATE|DROP) TABLE (\w+)/gm))
  if (verb === 'CREATE') standing.add(name);
  else standing.delete(name);
const tables = [...standing];

const guide = read('docs/guides/retention.md');
const rows = [...guide.matchAll(/^\| (`.*?) \| (.*?) \| (.*?) \|$/gm)].map(([, names = '', grows = '', goes = '']) => ({
  names: [...names.matchAll(/`(\w+)`/g)].map((match) => match[1] as string),
  grows,
  goes,
}));

test('the retention guide lists each table once, with what adds and what deletes its rows', () => {
  assert.deepEqual(rows.flatMap(({ names }) => names).sort(), tables.sort());
  assert.deepEqual(
    rows.filter(({ grows, goes }) => grows === '' || !/^(after|when|with|bounded|kept permanently)\b/.test(goes)),
    [],
  );
});

test('every setting that the retention guide names exists', () => {
  const known = flatten(SETTINGS).map(({ name }) => name);
  const named = [...guide.matchAll(/`(CAPSTAN_\w+)`/g)].map((match) => match[1] as string);
  assert.deepEqual(
    named.filter((name) => !known.includes(name)),
    [],
  );
});

test('every table with an expiry column is swept or has its own rule, and no code deletes receipts', () => {
  const ending = namesOf(/^CREATE TABLE (\w+) \((?:(?!^\);)[\s\S])*?^ {2}expires_at TEXT/gm);
  const capabilities = ['capability_proofs', 'capability_scores', 'capability_claims'];
  const byOtherMeans = ['api_keys', 'mcp_endpoints', 'connection_grants', ...capabilities];
  assert.deepEqual(ending.filter((name) => !byOtherMeans.includes(name)).sort(), [...EXPIRING_TABLES].sort());
  const deleting = FILES.filter((path) => path.startsWith('src/') && !path.endsWith('.test.ts')).filter((path) =>
    /(deleteFrom\('|DELETE FROM |table: ')(receipts|log_nodes|log_checkpoints)\b/.test(read(path)),
  );
  assert.deepEqual(deleting, []);
});

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { CONTRACT_VERSION, OPERATIONS } from '#app/contract.ts';
import { ERRORS } from '#app/problems.ts';
import { renderContract } from '#surfaces/docs/describe-contract.ts';
import { lintContract } from './contract-linters.ts';

/** openapi.yaml is what the contract says, and what linters recommend. */

const COMMITTED = new URL('../openapi.yaml', import.meta.url);

const render = (operations: typeof OPERATIONS): string =>
  renderContract({ operations, contract_version: CONTRACT_VERSION, errors: ERRORS, public_url: null });
const document = render(OPERATIONS);

test('the committed openapi.yaml is up to date', async () => {
  const committed = await readFile(COMMITTED, 'utf8').catch(() => '');
  assert.ok(committed === document, 'openapi.yaml is stale: npm run capstand -- schema --write');
});

test('openapi.yaml has fewer than 3,200 bytes per operation', () => {
  const bytes = Buffer.byteLength(document);
  assert.ok(bytes < 3_200 * OPERATIONS.length, `${bytes} bytes for ${OPERATIONS.length} operations`);
});

test('openapi.yaml passes the linter', async () => {
  assert.deepEqual(await lintContract(document, COMMITTED), []);
});

test('the linter reports a missing operationId, an undefined tag and an invalid structure', async () => {
  const few = render(OPERATIONS.filter(({ id }) => id.startsWith('surfaces.docs.')));
  const broken = few
    .replace(/^ {6}operationId: .*\n/gm, '')
    .replace(/^ {6}tags: \[docs\]$/gm, '      tags: [unknown]')
    .replace(/^ {6}responses:$/m, '      answers:');
  const found = await lintContract(broken, COMMITTED);
  for (const rule of ['operation-operationId', 'operation-tag-defined', 'struct'])
    assert.ok(
      found.some((line) => line.startsWith(`${rule} `)),
      `${rule}: ${found.join('\n')}`,
    );
});

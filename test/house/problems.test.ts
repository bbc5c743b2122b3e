import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPERATIONS } from '#app/contract.ts';
import { FILES, PROGRAM, read } from './tree.ts';

const CODE = /^[a-z]+\.[a-z][a-z_]*$/;
/** Codes stand as literals behind a kind: `new Problem('not_found', 'skills.not_found', …)`, or in a function that makes one. */
const used = new Set(
  PROGRAM.flatMap((path) =>
    [...read(path).matchAll(/\bProblem\(\s*'[a-z_]+',\s*'([a-z_.]+)'/g)].map((match) => match[1] as string),
  ),
);
const listed = new Set(OPERATIONS.flatMap((operation) => operation.problems));
const pages = new Set(
  FILES.filter((path) => /^docs\/errors\/[^/]+\.md$/.test(path)).map((path) =>
    path.slice('docs/errors/'.length, -'.md'.length),
  ),
);

test('every problem code has its page, and every page its code', () => {
  const codes = new Set([...used, ...listed]);
  assert.deepEqual(
    [...codes].filter((code) => !pages.has(code)),
    [],
    'codes without a page',
  );
  assert.deepEqual(
    [...pages].filter((page) => !codes.has(page)),
    [],
    'pages without a code',
  );
});

test('codes are <feature>.<name>, and pages begin with their code', () => {
  assert.deepEqual(
    [...used].filter((code) => !CODE.test(code)),
    [],
  );
  for (const page of pages) assert.equal(read(`docs/errors/${page}.md`).split('\n')[0], `# ${page}`);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACCOUNTS_ERRORS } from '#accounts/errors.ts';
import { errorPages } from '#app/commands/schema.ts';
import { APP_ERRORS } from '#app/errors.ts';
import { ERRORS } from '#app/problems.ts';
import { CATALOG_ERRORS } from '#catalog/errors.ts';
import { CONNECTIONS_ERRORS } from '#connections/errors.ts';
import { CORE_ERRORS } from '#core/errors.ts';
import { MARKETPLACE_ERRORS } from '#marketplace/errors.ts';
import { RUNTIME_ERRORS } from '#runtime/errors.ts';
import { formerCodes } from '#surfaces/docs/error-pages.ts';
import { SURFACES_ERRORS } from '#surfaces/errors.ts';
import { FILES, PROGRAM, read } from './tree.ts';

const WINGS = [
  CORE_ERRORS,
  ACCOUNTS_ERRORS,
  CATALOG_ERRORS,
  CONNECTIONS_ERRORS,
  RUNTIME_ERRORS,
  MARKETPLACE_ERRORS,
  SURFACES_ERRORS,
  APP_ERRORS,
];

/** What a client can do about a failure is in the last words of its code. The second line has fixed words of standards. */
const ENDINGS =
  /(?:not_found|invalid|forbidden|conflict|limit_exceeded|quota_exceeded|required|unavailable|failed|unsupported)$/;
const FIXED =
  /\.(?:corrupt|filtered|gone|google_denied|idempotency_key_reused|insufficient_scope|internal|method_not_allowed|misdirected_request|(?:request_)?timeout|unsupported_media_type|url_too_long|(?:\w+_)?too_large)$/;

test('each error code is in the table of one wing, sorted by code', () => {
  assert.equal(
    Object.keys(ERRORS).length,
    WINGS.reduce((sum, table) => sum + Object.keys(table).length, 0),
  );
  const unsorted = WINGS.flatMap((table) => {
    const codes = Object.keys(table);
    return codes.filter((code, i) => i > 0 && code < (codes[i - 1] as string));
  });
  assert.deepEqual(unsorted, [], 'move these entries up: a table is sorted by code');
});

test('an error code is <area>.<name> with one of the known endings', () => {
  const odd = Object.keys(ERRORS).filter(
    (code) => !/^[a-z]+\.[a-z][a-z_]*$/.test(code) || !(ENDINGS.test(code) || FIXED.test(code)),
  );
  assert.deepEqual(odd, [], `an ending is missing: ${ENDINGS.source}, or ${FIXED.source}`);
});

test('docs/errors has exactly the generated page of each error code', () => {
  const pages = errorPages();
  const paths = FILES.filter((path) => path.startsWith('docs/errors/'));
  assert.deepEqual(
    paths.toSorted(),
    Object.keys(pages)
      .map((file) => `docs/errors/${file}`)
      .toSorted(),
    'run: npm run capstand -- schema --write',
  );
  const stale = Object.entries(pages).filter(([file, text]) => read(`docs/errors/${file}`) !== text);
  assert.deepEqual(
    stale.map(([file]) => file),
    [],
    'run: npm run capstand -- schema --write',
  );
});

test('a Problem is created only by the function of its wing', () => {
  const made = PROGRAM.filter((path) => /\bnew Problem\(\s*['"`]/.test(read(path)));
  assert.deepEqual(made, []);
});

test('every error code and reason is used in the source', () => {
  const sources = PROGRAM.filter((path) => path.startsWith('src/') && !/^src\/[a-z]+\/errors\.ts$/.test(path));
  const text = sources.map(read).join('\n');
  const words = new Set(text.match(/[a-z][a-z0-9_.]*/g));
  const unused = Object.entries(ERRORS).flatMap(([code, { reasons = {} }]) => [
    ...(words.has(code) ? [] : [code]),
    ...Object.keys(reasons)
      .filter((reason) => !words.has(reason))
      .map((reason) => `${code} ${reason}`),
  ]);
  assert.deepEqual(unused, [], 'throw them somewhere, or remove them from errors.ts');
});

test('isProblem() is called only with existing codes and reasons', () => {
  const asked = PROGRAM.flatMap((path) =>
    [...read(path).matchAll(/\bisProblem\(\s*[\w.?]+,\s*'([^']+)'((?:,\s*'[^']+')*)/g)].map(
      ([, code = '', rest = '']) => ({
        path,
        code,
        reasons: [...rest.matchAll(/'([^']+)'/g)].map(([, reason = '']) => reason),
      }),
    ),
  );
  assert.ok(asked.length > 15);
  const wrong = asked.filter(({ code, reasons }) => {
    const entry = ERRORS[code];
    return entry === undefined || reasons.some((reason) => !Object.hasOwn(entry.reasons ?? {}, reason));
  });
  assert.deepEqual(wrong, []);
});

test('each former error code maps to one current code and appears nowhere else', () => {
  const former = formerCodes(ERRORS);
  const entries = Object.values(ERRORS).flatMap(({ aliases = [], reasons = {} }) => [
    ...aliases,
    ...Object.values(reasons).flatMap(({ aliases: own = [] }) => own),
  ]);
  assert.equal(new Set(entries).size, entries.length);
  const gone = [...former.keys()];
  const pattern = new RegExp(`(?<![\\w./-])(?:${gone.map((code) => code.replace('.', '\\.')).join('|')})(?![\\w(.-])`);
  const tables =
    /^(?:src\/[a-z]+\/errors\.ts|docs\/errors\/.*|docs\/decisions\/\d+-error-codes\.md|CHANGELOG\.md|src\/surfaces\/docs\/get-error-page\.test\.ts)$/;
  const stale = FILES.filter((path) => /\.(?:ts|md|ya?ml)$/.test(path) && !tables.test(path)).flatMap((path) =>
    read(path)
      .split('\n')
      .filter((line) => pattern.test(line))
      .map((line) => `${path}: ${line.trim().slice(0, 120)}`),
  );
  assert.deepEqual(stale, []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILES, read } from './tree.ts';

/** Code whose messages, comments and test titles were reviewed. Applied migrations are left out, because their digests are stored. */
const REVIEWED_CODE = [
  /^src\/.*\.ts$/,
  /^(web|cli|sdk|test|bench|scripts)\/(?!.*generated|house\/words).*\.(ts|js|mjs|css)$/,
];

/** Reviewed documents, where every line is text. */
const REVIEWED_TEXT = [
  /^(README|ARCHITECTURE|CONTRIBUTING|SECURITY)\.md$/,
  /^(cli|sdk|db|web)\/README\.md$/,
  /^(src|test|bench)\/.*README\.md$/,
  /^docs\/guides\//,
  /^docs\/errors\/.*/,
  /^src\/[a-z]+\/errors\.ts$/,
  /^\.env\.example$/,
];

/** Words that make a text read like a translation, with what to write instead. */
const WORST: readonly [RegExp, string][] = [
  [/\bwhoever\b/i, 'name the role: the caller, the client, the operator'],
  [/\bstrangers?\b/i, 'untrusted, third-party, another user'],
  [/\b(some|any)body\b/i, 'name the role, or: anyone'],
  [/\banew\b/i, 'again'],
  [/\bby itself\b/i, 'automatically'],
  [/\bof its own\b/i, 'say whose'],
  [/\b(tells?|told) of\b/i, 'describes, reports'],
  [/\bis told\b/i, 'receives, is notified'],
  [/\b(is|are) let in\b/i, 'is authorized'],
  [/\blets? a client in\b/i, 'authorizes a client'],
  [/\bcomes? to its end\b/i, 'ends, completes'],
  [/\bat hand\b/i, 'available'],
  [/\b(is|are) had\b/i, 'is installed, is available'],
  [/\bways? in\b/i, 'sign-in method'],
  [/\bgood for (a|one|five|two)\b/i, 'valid for'],
  [/\bfor good\b/i, 'permanently'],
  [/\bletter is\b/i, 'email'],
  [/\bthat is none\b/i, 'invalid'],
  [/\bgoes on\b/i, 'continues'],
  [/\bunder way\b/i, 'in progress'],
  [/\bat work\b/i, 'running'],
  [/\b(is|are) of \d{1,3}\b(?!-)/i, 'has'],
  [/\b(stands?|stood) (at|against|behind|between|for it|there|where)\b/i, 'is, is shown, applies'],
  [/\bas (it|they) stands?\b/i, 'unchanged'],
  [/\bmailed link\b|\b(sen[dt]s?|opens?) (a|the) letter\b|\bletter with a link\b/i, 'email'],
  [/\bnone any more\b/i, 'no longer valid'],
  [/\bcannot be had\b/i, 'is unavailable'],
  [/\bis no (text|JSON|number|name|list|object|digest|token)\b/i, 'is not'],
  [/\bbeats\b/i, 'heartbeats'],
  [/\bis on its way\b/i, 'we sent'],
];

/** Exact lines that may use such a word, with the reason. */
const ALLOWED: readonly RegExp[] = [
  // A user has the password at hand or does not: the everyday meaning.
  /password at hand/,
];

const COMMENT = /^\s*(\/\/|\/?\*)|\s\/\/ (?!.*['"`])/;
const TITLE = /\b(?:test|describe)(?:\.\w+)?\((['"`])(.*?)\1/;

/** Test data may contain any word, so of tests only comments and titles count. */
function textOf(path: string): string[] {
  const lines = read(path).split('\n');
  if (!/\.test\.ts$|^(test|bench)\/.*\.(ts|js|mjs)$/.test(path)) return lines;
  return lines.flatMap((line) => (COMMENT.test(line) ? [line] : (TITLE.exec(line)?.[2] ?? [])));
}

const findingsIn = (path: string): string[] =>
  textOf(path).flatMap((line) =>
    WORST.filter(([word]) => word.test(line) && !ALLOWED.some((allowed) => allowed.test(line))).map(
      ([word, instead]) => `${path}: ${line.trim()} (${word.source}: ${instead})`,
    ),
  );

test('code, comments, test titles and documents contain none of the listed words', () => {
  const reviewed = [...REVIEWED_CODE, ...REVIEWED_TEXT];
  const paths = FILES.filter((path) => reviewed.some((folder) => folder.test(path)));
  assert.ok(paths.length >= 2_300, `only ${paths.length} files are reviewed`);
  assert.deepEqual(paths.flatMap(findingsIn), []);
});

test('only comments and titles of tests are checked', () => {
  const found = (line: string) => COMMENT.test(line) || TITLE.test(line);
  assert.deepEqual(
    ["test('a stranger', () => {", '// a stranger', ' * a stranger', "const stranger = 'a stranger';"].map(found),
    [true, true, true, false],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILES, read } from './tree.ts';

/** Folders whose text was reviewed. Add a folder here once its text passes. */
const REVIEWED = [
  /^src\/accounts\/.*contract\.ts$/,
  /^src\/core\/.*(contract|settings|config)\.ts$/,
  /^src\/app\/(commands|backup)\/(?!.*\.test\.ts$).*\.ts$/,
  /^cli\/src\/.*\.ts$/,
  /^docs\/errors\/(auth|backup|config|crypto|database|docs|health|http|llm|outbound|startup|traces|users|web|workers)\./,
  /^docs\/guides\/configuration\.md$/,
  /^\.env\.example$/,
];

/** Words that make a text read like a translation, with what to write instead. */
const WORST: readonly [RegExp, string][] = [
  [/\bwhoever\b/i, 'name the role: the caller, the client, the operator'],
  [/\bstrangers?\b/i, 'untrusted, third-party, another user'],
  [/\bsomebody\b/i, 'name the role'],
  [/\banew\b/i, 'again'],
  [/\bby itself\b/i, 'automatically'],
  [/\bof its own\b/i, 'say whose'],
  [/\btells? of\b/i, 'describes'],
  [/\bis told\b/i, 'receives, is notified'],
  [/\bis let in\b/i, 'is authorized'],
  [/\blets? a client in\b/i, 'authorizes a client'],
  [/\bcomes? to its end\b/i, 'ends, completes'],
  [/\bat hand\b/i, 'available'],
  [/\bis had\b/i, 'is installed, is available'],
  [/\bway in\b/i, 'sign-in method'],
  [/\bgood for (a|one|five|two)\b/i, 'valid for'],
  [/\bletter is\b/i, 'email'],
];

/** Exact lines that may use such a word, with the reason. */
const ALLOWED: readonly RegExp[] = [
  // A user has the password at hand or does not: the everyday meaning.
  /password at hand/,
];

/** The text of a source file is in its string literals; comments are reviewed with their folders later. */
function textOf(path: string): string[] {
  const lines = read(path).split('\n');
  return path.endsWith('.ts') ? lines.filter((line) => !/^\s*(\/\/|\/?\*)/.test(line)) : lines;
}

test('reviewed text is free of the worst words', () => {
  const paths = FILES.filter((path) => REVIEWED.some((folder) => folder.test(path)));
  assert.ok(paths.length >= 200, `only ${paths.length} files are reviewed`);
  const found = paths.flatMap((path) =>
    textOf(path).flatMap((line) =>
      WORST.filter(([word]) => word.test(line) && !ALLOWED.some((allowed) => allowed.test(line))).map(
        ([word, instead]) => `${path}: ${line.trim()} (${word.source}: ${instead})`,
      ),
    ),
  );
  assert.deepEqual(found, []);
});

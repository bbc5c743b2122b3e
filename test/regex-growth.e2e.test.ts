import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growing } from './growth.ts';
import { FILES, isGenerated, PROGRAM, read } from './house/tree.ts';
import { pumpedInputs } from './pumped.ts';
import { type RegexLiteral, regexLiterals } from './regex-literals.ts';

/** Every regular expression of the program takes time that grows with the text alone, whatever the text is. */

const SOURCES = FILES.filter(
  (path) =>
    /^(?:src|web|cli\/src|sdk\/src)\/.*\.(?:ts|mjs|js)$/.test(path) && !/\.test\.ts$/.test(path) && !isGenerated(path),
);

/** As calls apply it: at its first match, or at all of them, which `split` asks for without the flag. */
function uses(pattern: RegExp): (text: string) => unknown {
  const all = pattern.global || pattern.sticky ? pattern : new RegExp(pattern, `${pattern.flags}g`);
  return (text) => {
    all.lastIndex = 0;
    pattern.lastIndex = 0;
    return pattern.sticky ? pattern.exec(text) : [pattern.test(text), text.replace(all, '')];
  };
}

const slowOnes = (literals: readonly RegexLiteral[], most?: number): string[] =>
  literals.flatMap(({ line, pattern }) =>
    growing(uses(pattern), pumpedInputs(pattern), most).map((fault) => `line ${line}, ${pattern}: ${fault}`),
  );

// biome-ignore lint/suspicious/noTemplateCurlyInString: the text is a source with a template in it.
const SOURCE = 'const a = b / c / d; // /x/\nf(/[/]"/g, `${1 / 2} /y/ ${/z\\//u}`, "/w/");\nreturn /q+$/;';

test('the scanner finds regular expression literals at their lines, and nothing else', () => {
  assert.deepEqual(
    regexLiterals(SOURCE).map(({ line, pattern }) => [line, String(pattern)]),
    [
      [2, '/[/]"/g'],
      [2, '/z\\//u'],
      [3, '/q+$/'],
    ],
  );
});

test('quadratic expressions are detected', () => {
  for (const pattern of [/\s+$/, /\[([^\]]*)\]\(/, /\beyJ[\w-]{8,}\./g])
    assert.notDeepEqual(slowOnes([{ line: 1, pattern }], 1), [], String(pattern));
});

test('no regular expression literal takes more time per character as the text grows', () => {
  const literals = new Map(
    SOURCES.flatMap((path) => regexLiterals(read(path)).map((literal) => [String(literal.pattern), { path, literal }])),
  );
  assert.ok(literals.size > 500);
  const slow = [...literals.values()].flatMap(({ path, literal }) =>
    slowOnes([literal]).map((fault) => `${path}, ${fault}`),
  );
  assert.deepEqual(slow, []);
});

/** Those that are put together at run time have no literal: here is what tries them, or why none has to. */
const BUILT: Record<string, string> = {
  'src/core/http/path.ts': 'templates of our own paths',
  'src/core/http/validate.ts': 'patterns of our own schemas',
  'src/core/json-schema/known-members.ts': 'schemas of our own',
  'src/core/text/redact.ts': 'src/core/text/redact.test.ts',
  'src/core/tools/words.ts': 'tags of our own',
  'src/surfaces/agent/gate/words.ts': 'test/regex-time.e2e.test.ts',
  'src/runtime/boxes/attacks.ts': 'names of our own',
  'src/runtime/context/context-file.ts': 'a label of bounded length',
  'src/runtime/memory/terms.ts': 'one class, which cannot back up',
  'src/catalog/search/text/tokenize.ts': 'one class, which cannot back up',
  'src/catalog/items/version.ts': 'a version of bounded length',
  'src/surfaces/mcp/uri-template.ts': 'templates of our own resources',
  'src/runtime/native/shell-programs.ts': 'names of our own',
  'src/runtime/tasks/conceal.ts': 'the ids and addresses of one account',
  'src/runtime/rigs/schema-shape.ts': 'is made, and matched with nothing',
  'src/connections/vault/header-rules.ts': 'one class, which cannot back up',
  'src/catalog/checks/text-signs.ts': 'src/runtime/skills/checks/check-growth.e2e.test.ts',
  'src/accounts/api-keys/api-key.ts': 'a key of fixed length',
  'web/server/find-page.ts': 'templates of our own paths',
};

test('every file that builds regular expressions at run time is listed with the test that covers it', () => {
  const building = PROGRAM.filter((path) => read(path).includes('new RegExp('));
  assert.deepEqual(building.toSorted(), Object.keys(BUILT).toSorted());
});

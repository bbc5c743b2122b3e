import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DraftFile } from './packed-files.ts';

import { fixName, fixOf, namedFix } from './publish-fixes.ts';

const at = (rule: string, line = 1, path = 'SKILL.md') => ({ rule, line, path });
const skill = (content: string): DraftFile => ({ path: 'SKILL.md', content });

test('one button mends what is mechanical, and only in its line', () => {
  const script = { path: 'scripts/notes.sh', content: 'a\r\nb\r\n' };
  const broken = skill('[a](x.md)\nsee [the guide](style.md) and [a](x.md)\n');
  const unnamed = skill('metadata:\n  capstan-execution-class: scripted\n');
  const cases: [DraftFile[], ReturnType<typeof at>, string, Record<string, string>][] = [
    [[broken], at('link-broken', 2), 'Remove the link', { 'SKILL.md': '[a](x.md)\nsee the guide and a\n' }],
    [[script], at('script-line-ends', 1, 'scripts/notes.sh'), 'Use line feeds', { 'scripts/notes.sh': 'a\nb\n' }],
    [
      [skill('x'), { path: '.env', content: '' }],
      at('path-hidden', 1, '.env'),
      'Leave the file out',
      { 'SKILL.md': 'x' },
    ],
    [[skill('a\u200Bb\n\u200B')], at('hidden-character'), 'Remove the characters', { 'SKILL.md': 'ab\n\u200B' }],
    [
      [unnamed, { path: 'scripts/notes.sh', content: '' }],
      at('entry-missing', 2),
      'Use scripts/notes.sh',
      {
        'SKILL.md': 'metadata:\n  capstan-execution-class: scripted\n  capstan-entry: scripts/notes.sh\n',
        'scripts/notes.sh': '',
      },
    ],
  ];
  for (const [files, finding, words, expected] of cases) {
    const fix = fixOf(files, finding);
    assert.equal(fix?.words, words);
    assert.deepEqual(Object.fromEntries(fix.apply(files).map(({ path, content }) => [path, content])), expected);
    assert.deepEqual(namedFix(fixName(finding)), finding);
  }
});

test('no button where only the author can decide', () => {
  const two = [
    skill('metadata:\n  capstan-execution-class: scripted\n'),
    { path: 'scripts/a.sh' },
    { path: 'scripts/b.sh' },
  ];
  assert.equal(fixOf(two, at('entry-missing', 2)), null);
  assert.equal(fixOf([skill('no link here')], at('link-broken')), null);
  assert.equal(fixOf([skill('x')], at('path-hidden', 1, 'SKILL.md')), null, 'the last file stays');
  assert.equal(fixOf([skill('x')], at('description-form')), null);
  for (const name of ['fix', 'fix x', 'fix A 1 x', 'check', `fix a 1 ${'x'.repeat(501)}`])
    assert.equal(namedFix(name), null);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuTimeOf } from '#test/cpu-time.ts';
import { placeOf, rawUrl } from './place.ts';
import { parseProofFile } from './proof-file.ts';
import { nameIn } from './verify-claim.ts';

const listed = (more: object) => ({ repository: '', homepage: '', install: null, manifest: null, ...more });

test('reads valid entries of an untrusted file and ignores the rest', () => {
  for (const text of ['', '[]', '"x"', 'null', '{"claims":']) assert.equal(parseProofFile(text), null, text);
  const entry = { capability: 'a', publisher: 'b', token: 'c', more: 1 };
  const file = parseProofFile(
    JSON.stringify({ claims: [entry, null, { capability: 1 }], wallets: ['ethereum:0x1', 2] }),
  );
  assert.deepEqual(file, { claims: [entry], wallets: ['ethereum:0x1'] });
});

test('finds the source of a listing, with its folder', () => {
  const hosts = { github: 'https://raw.githubusercontent.com', gitlab: 'https://gitlab.com' };
  const urls = [
    { repository: 'https://github.com/Ana/Words.git' },
    { homepage: 'https://github.com/ana/kit/tree/main/skills/words' },
    { install: JSON.stringify({ source: { kind: 'git', repository: 'https://github.com/ana/kit', path: 'a b' } }) },
    { repository: 'https://gitlab.com/ana/kit', manifest: JSON.stringify({ repository: { subfolder: './x/' } }) },
  ].map((more) => {
    const place = placeOf(listed(more));
    return place === null ? null : rawUrl(hosts, place, 'f');
  });
  assert.deepEqual(urls, [
    'https://raw.githubusercontent.com/ana/words/HEAD/f',
    'https://raw.githubusercontent.com/ana/kit/HEAD/skills/words/f',
    'https://raw.githubusercontent.com/ana/kit/HEAD/a%20b/f',
    'https://gitlab.com/ana/kit/-/raw/HEAD/x/f',
  ]);
  for (const more of [
    {},
    { repository: 'https://evil.example/a/b' },
    { homepage: 'https://github.com/ana/kit/tree/main/../x' },
  ])
    assert.ok([null, ''].includes(placeOf(listed(more))?.folder ?? null), JSON.stringify(more));
});

test('finds the name of a skill in any file, in linear time', () => {
  for (const skill of ['name: words', "x: 1\r\nname:  'words' \r\ny: 2", 'name:"words"\n'])
    assert.equal(nameIn(skill), 'words', skill);
  for (const skill of ['', 'name:', ' name: words', 'named: words']) assert.equal(nameIn(skill), undefined, skill);
  const hostile = [`name: a${' '.repeat(60_000)}b"x`, `name:${'\n'.repeat(60_000)}"`];
  assert.ok(cpuTimeOf(() => hostile.forEach(nameIn), 500) < 500);
});

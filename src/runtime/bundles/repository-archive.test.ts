import assert from 'node:assert/strict';
import { test } from 'node:test';
import { repositoryArchive } from './repository-archive.ts';

const HOSTS = { github: 'https://codeload.example', gitlab: 'https://gitlab.example' };

test('the archive of a repository, at the branch and folder that its address names', () => {
  const cases: [string, string, string][] = [
    ['https://github.com/ada/words', 'https://codeload.example/ada/words/tar.gz/HEAD', ''],
    ['https://github.com/ada/words.git', 'https://codeload.example/ada/words/tar.gz/HEAD', ''],
    [' https://www.github.com/ada/words/ ', 'https://codeload.example/ada/words/tar.gz/HEAD', ''],
    [
      'https://github.com/ada/words/tree/v1.2/skills/a%20b',
      'https://codeload.example/ada/words/tar.gz/v1.2',
      'skills/a b',
    ],
    [
      'https://github.com/ada/words/blob/main/skills/a/SKILL.md',
      'https://codeload.example/ada/words/tar.gz/main',
      'skills/a',
    ],
    ['https://gitlab.com/a/b/words', 'https://gitlab.example/a/b/words/-/archive/HEAD/archive.tar.gz', ''],
    ['https://gitlab.com/a/words/-/tree/main/x', 'https://gitlab.example/a/words/-/archive/main/archive.tar.gz', 'x'],
    ['https://codeberg.org/a/w/src/branch/main/x', 'https://codeberg.org/a/w/archive/main.tar.gz', 'x'],
    ['https://bitbucket.org/a/w/src/main/x/', 'https://bitbucket.org/a/w/get/main.tar.gz', 'x'],
    ['https://files.example/a/words.zip?x=1', 'https://files.example/a/words.zip?x=1', ''],
  ];
  for (const [address, url, folder] of cases) {
    const found = repositoryArchive(address, HOSTS);
    assert.deepEqual('unsupported' in found ? found : [found.url, found.folder], [url, folder], address);
  }
});

test('says which addresses it understands', () => {
  for (const address of [
    'http://github.com/a/b',
    'git@github.com:a/b.git',
    'ssh://git@github.com/a/b',
    'file:///etc/passwd',
    'https://me:secret@github.com/a/b',
    'https://example.org/a/b.git',
    'https://github.com/a',
    'https://github.com/a/b/issues/3',
    'https://github.com/a/b/tree/../x',
    'https://github.com/a/b/tree/main/a%2f..%2fb',
    'https://github.com/a/b/tree/main/%zz',
    'https://gitlab.com/a',
    `https://github.com/${'a/'.repeat(50_000)}`,
    '',
  ]) {
    const found = repositoryArchive(address, HOSTS);
    assert.ok('unsupported' in found, address.slice(0, 100));
    assert.ok(!found.unsupported.includes('secret'));
  }
});

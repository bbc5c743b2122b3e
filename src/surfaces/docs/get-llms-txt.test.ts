import assert from 'node:assert/strict';
import { test } from 'node:test';
import { docsDeps, input, text } from '#test/docs-deps.ts';
import { getLlmsTxt } from './get-llms-txt.ts';

const SKILL = { name: 'json-diff', description: 'Compare two\n documents.' } as never;

test('200: a title, a summary and sections of links, the optional one last', async () => {
  const deps = await docsDeps({ public_url: 'https://cap.example' });
  const { body } = await text(getLlmsTxt(deps, { skills: [SKILL] })(input({})));
  const lines = body.split('\n').filter((line) => line !== '');
  assert.match(lines[0] as string, /^# \S/);
  assert.match(lines[1] as string, /^> \S/);
  assert.deepEqual(
    lines.filter((line) => line.startsWith('## ')),
    ['## Start here', '## Catalog', '## Built-in skills', '## Optional'],
  );
  const links = lines.filter((line) => line.startsWith('- '));
  for (const line of links) assert.match(line, /^- \[[^\]]+\]\(https:\/\/cap\.example\/[^)\s]+\): \S/);
  assert.ok(links.includes('- [json-diff](https://cap.example/api/skills/json-diff/SKILL.md): Compare two documents.'));
  const paths = deps.operations.flatMap((operation) => [operation.path, ...(operation.also ?? [])]);
  const own = links
    .flatMap((line) => /cap\.example(\/[^)]*)/.exec(line)?.[1] ?? [])
    .filter((value) => !value.includes('json-diff'));
  assert.deepEqual(
    own.filter((path) => !paths.includes(path)),
    [],
    'links to what is not there',
  );
});

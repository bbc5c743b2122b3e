import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import fc from 'fast-check';
import { sha256 } from '#core/crypto/sha256.ts';
import { isProblem } from '#core/problem/problem.ts';
import { anyText } from '#test/any-text.ts';
import { openWorld } from '#test/world.ts';
import { fileReply } from './get-file.ts';
import { digestOf, mediaTypeOf, type Skill } from './skill.ts';

function skillOf(contents: Record<string, string>): Skill {
  const bytes = new Map(Object.entries(contents).map(([path, text]) => [path, Buffer.from(text)]));
  const files = [...bytes].map(([path, byte]) => ({
    path,
    size: byte.length,
    sha256: sha256(byte),
    media_type: mediaTypeOf(path),
  }));
  return {
    name: 'demo',
    description: '',
    version: '',
    license: '',
    execution_class: 'prompt',
    compatibility: '',
    files,
    digest: digestOf(files),
    frontmatter: {},
    body: '',
    entry: null,
    example: null,
    input_schema: null,
    contents: bytes,
  };
}
const DEMO = skillOf({
  'SKILL.md': '# a',
  'scripts/run.py': 'x',
  'a.html': '<script>',
  'a.bin': '\x01',
  'constructor.md': '',
});

test('200: every file of every skill, with the size and hash from the skill’s list', async () => {
  await using world = await openWorld();
  const { items } = await world.get<{
    items: { name: string; links: { files: string }; files: { path: string; size: number; sha256: string }[] }[];
  }>('/api/skills');
  for (const { links, files } of items)
    for (const file of files) {
      const answer = await world.fetch(links.files + file.path);
      const bytes = await answer.bytes();
      assert.equal(answer.status, 200, file.path);
      assert.deepEqual([bytes.length, createHash('sha256').update(bytes).digest('hex')], [file.size, file.sha256]);
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
      assert.doesNotMatch(answer.headers.get('content-type') ?? '', /html|svg|javascript/);
    }
});

test('200: an encoded slash is decoded once', async () => {
  await using world = await openWorld();
  assert.equal((await world.fetch('/api/skills/csv-profile/scripts%2Frun.py')).status, 200);
  assert.equal((await world.fetch('/api/skills/csv-profile/scripts%252Frun.py')).status, 404);
});

test('serves HTML as plain text, and unknown types as downloads', () => {
  assert.equal(fileReply(DEMO, 'a.html').media_type, 'text/plain; charset=utf-8');
  assert.deepEqual(fileReply(DEMO, 'a.bin').headers, { 'content-disposition': 'attachment' });
});

/** Sends the path unchanged, because fetch would resolve its dots. */
async function getRaw(url: string, path: string): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(url);
  const sent = request({ hostname, port, path });
  sent.end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: answer.statusCode ?? 0, text: Buffer.concat(await answer.toArray()).toString() };
}

test('404 or 400: no path leads outside the skill', async () => {
  await using world = await openWorld();
  const { url } = await world.listen();
  const ups = [
    '..',
    '%2e%2e',
    '%2E.',
    '..%2f..',
    '..%5c..',
    '..\\..',
    '....',
    '.%00.',
    '%252e%252e',
    '..;',
    '%c0%ae%c0%ae',
  ];
  const ends = ['package.json', 'json-diff/SKILL.md', 'etc/passwd', 'SKILL.md%00.txt', 'SKILL.md/', '.'];
  for (const up of ups)
    for (const end of ends)
      for (const path of [`${up}/${end}`, `scripts/${up}/${up}/${end}`, `/${up}/${end}`, `${up}%2f${end}`]) {
        const { status, text } = await getRaw(url, `/api/skills/csv-profile/${path}`);
        assert.ok([400, 404].includes(status), `${path}: ${status} ${text.slice(0, 100)}`);
      }
});

test('404: any path that is not listed, even a similar one', () => {
  const listed = DEMO.files.map((file) => file.path);
  const mangled = fc.constantFrom<(path: string) => string>(
    ...[
      (text: string) => `./${text}`,
      (text: string) => `/${text}`,
      (text: string) => `scripts/../${text}`,
      (text: string) => `${text}/`,
    ],
    ...[
      (text: string) => text.replace('/', '%2f'),
      (text: string) => text.replace('/', '\\'),
      (text: string) => text.replace('/', '//'),
    ],
    ...[
      (text: string) => `${text}\0`,
      (text: string) => `${text} `,
      (text: string) => text.toUpperCase(),
      (text: string) => text.slice(1),
    ],
  );
  const near = fc.tuple(fc.constantFrom(...listed), mangled, mangled).map(([path, one, two]) => two(one(path)));
  fc.assert(
    fc.property(fc.oneof(near, anyText()), (asked) => {
      if (listed.includes(asked)) return;
      assert.throws(
        () => fileReply(DEMO, asked),
        (error) => isProblem(error, 'skills.not_found', 'file') && error.status === 404,
      );
    }),
  );
});

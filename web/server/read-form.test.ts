import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readForm } from './read-form.ts';

/** As undici, which browsers' encoding is the same as, writes a form. */
async function sent(form: FormData): Promise<[{ 'content-type': string }, string]> {
  const request = new Request('http://x', { method: 'POST', body: form });
  const bytes = Buffer.from(await request.arrayBuffer());
  return [{ 'content-type': request.headers.get('content-type') as string }, bytes.toString('latin1')];
}

test('reads the fields of both encodings of a form', async () => {
  const plain = readForm({ 'content-type': 'application/x-www-form-urlencoded' }, 'a=1&b=%C3%A9&a=2');
  assert.deepEqual([plain.form.getAll('a'), plain.form.get('b'), plain.uploads], [['1', '2'], 'é', []]);
  const form = new FormData();
  form.append('text', 'a\r\n--b\nüé"');
  form.append('text', '');
  const { form: read, uploads } = readForm(...(await sent(form)));
  assert.deepEqual([read.getAll('text'), uploads], [['a\r\n--b\r\nüé"', ''], []]);
});

test('reads files with every byte, and their names', async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const form = new FormData();
  form.append('folder', new File([bytes], 'words/scripts/"ü".bin'));
  form.append('folder', new File(['x'], 'words/SKILL.md'));
  form.append('none', new File([], ''));
  const { uploads } = readForm(...(await sent(form)));
  assert.deepEqual(
    uploads.map(({ field, path }) => [field, path]),
    [
      ['folder', 'words/scripts/"ü".bin'],
      ['folder', 'words/SKILL.md'],
    ],
  );
  assert.deepEqual([...(uploads[0]?.bytes ?? [])], [...bytes]);
});

test('a malformed or endless body gives what is before the fault', () => {
  const type = { 'content-type': 'multipart/form-data; boundary=b' };
  const part = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n';
  const fields = (body: string) => readForm(type, body).form.getAll('a').length;
  assert.deepEqual([fields(''), fields(part), fields(`${part}--b--`), fields(`${part}--b`)], [0, 0, 1, 1]);
  assert.equal(fields(`--b\r\nx: y\r\n\r\n1\r\n--b--`), 0);
  assert.equal(fields(`--b\r\n${'x'.repeat(9_000)}\r\n\r\n1\r\n${part}--b--`), 1);
  assert.equal(fields(`${part.repeat(5_000)}--b--`), 1_000);
});

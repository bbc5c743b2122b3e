import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConfigFormat, entryAt, withEntry } from '../src/install/edit.ts';

/** Configuration files as users write them: with comments, any order and any indentation. */
const FILES: Record<ConfigFormat, { key: string; text: string }> = {
  json: {
    key: 'mcpServers',
    text: '{\n\t// mine\n\t"theme": "dark", // and this\n\t"mcpServers": {\n\t\t"other": { "url": "https://other.example" },\n\t},\n}\n',
  },
  toml: {
    key: 'mcp_servers',
    text: 'model = "x" # mine\n\n[mcp_servers.other]\nurl = "https://other.example" # theirs\n',
  },
  yaml: {
    key: 'extensions',
    text: '# mine\nmodel: x\nextensions:\n  # theirs\n  other:\n    uri: https://other.example\nlast: 1 # the end\n',
  },
};

const VALUE = { url: 'https://weather.example/mcp', headers: { 'x-key': 'of mine' } };

for (const [format, { key, text }] of Object.entries(FILES) as [ConfigFormat, (typeof FILES)['json']][])
  test(`${format}: adding and removing an entry keeps all comments and other entries`, () => {
    const place = { format, key, name: 'weather' };
    const written = withEntry(text, place, VALUE);
    assert.deepEqual(JSON.parse(JSON.stringify(entryAt(written, place))), VALUE);
    for (const line of text.split('\n').filter((line) => /\/\/ |# /.test(line)))
      assert.ok(written.includes(line), line);
    assert.notEqual(entryAt(written, { ...place, name: 'other' }), undefined);
    assert.equal(withEntry(written, place, undefined), text);
    const first = withEntry('', place, VALUE);
    assert.deepEqual(JSON.parse(JSON.stringify(entryAt(first, place))), VALUE, 'where there was no file');
  });

test('json: changes only the entry itself, whatever surrounds it', () => {
  const place = { format: 'json' as const, key: 'a', name: 'b' };
  const cases = [
    ['{}', '{\n  "a": {\n    "b": {\n      "c": 1\n    }\n  }\n}'],
    ['{ "x": 1 /* mine */ }\n', '{ "x": 1, /* mine */\n  "a": {\n    "b": {\n      "c": 1\n    }\n  }\n}\n'],
    ['{"a":{"x":[1,2] // mine\n}}', '{"a":{"x":[1,2], // mine\n    "b": {\n      "c": 1\n    }\n}}'],
    ['{"a":{"b":{"old":1},"x":1}}', '{"a":{"b":{\n      "c": 1\n    },"x":1}}'],
    ['{\r\n "a": {\r\n }\r\n}', '{\r\n "a": {\r\n  "b": {\r\n   "c": 1\r\n  }\r\n }\r\n}'],
  ] as const;
  for (const [text, expected] of cases) assert.equal(withEntry(text, place, { c: 1 }), expected);
  assert.equal(withEntry('{"a":{"x":1, // mine\n"b":{}\n}}', place, undefined), '{"a":{"x":1 // mine\n}}');
  assert.equal(withEntry('{"a":{"b":{},/* next */"x":1}}', place, undefined), '{"a":{/* next */"x":1}}');
});

test('refuses inline tables and invalid files, which it could not change safely', () => {
  const inline = 'mcp_servers = { weather = { url = "https://mine.example" } }\n';
  const place = { format: 'toml' as const, key: 'mcp_servers', name: 'weather' };
  assert.throws(() => withEntry(inline, place, VALUE), { code: 'cli.config' });
  assert.throws(() => withEntry('{broken', { format: 'json', key: 'x', name: 'y' }, VALUE), { code: 'cli.config' });
});

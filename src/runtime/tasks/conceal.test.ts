import assert from 'node:assert/strict';
import { test } from 'node:test';
import { heldTimeOf } from '#test/cpu-time.ts';
import { concealer } from './conceal.ts';

test('secrets, members with secret names and given words are taken out, and everything else stays', async () => {
  const conceal = concealer(['ada@example.org', 'abc']);
  const pem = `${'-----BEGIN'} PRIVATE KEY-----\n${'MIIabcdef\n'.repeat(9_000)}`;
  const value = { api_key: 'zzzz', 'ada@example.org': [1, null, 'Bearer abcdef.ghijkl'], ok: 'abc', pem, empty: '' };
  assert.deepEqual(JSON.parse(await conceal.json(JSON.stringify(value))), {
    api_key: '[redacted]',
    '[redacted]': [1, null, 'Bearer [redacted]'],
    ok: 'abc',
    pem: '[redacted]',
    empty: '',
  });
  assert.equal(conceal.count(), 4);
  const bytes = Buffer.from([0xff, 0xfe, 0]);
  assert.equal(await conceal.bytes(bytes), bytes);
  assert.equal(`${await conceal.bytes(Buffer.from('token: sesame123'))}`, 'token: [redacted]');
});

test('a secret is found wherever a long text is split', async () => {
  const secret = `${'sk'}-proj-AAAABBBBCCCCDDDDEEEE`;
  for (const before of [32_750, 32_760, 32_768])
    for (const fill of ['x\n', 'x ', 'xy '])
      assert.doesNotMatch(
        `${await concealer([]).text(`${fill.repeat(before / fill.length)} ${secret} ${fill.repeat(20_000)}`)}`,
        /BBBB/,
      );
});

test('the value of a member with a secret name is taken out wherever else it is, also in another value', async () => {
  const conceal = concealer([]);
  const input = JSON.stringify({ after: { password: 'orange "boat"', token: 'ok', plain: 'harbour' } });
  await conceal.learn(input);
  const output = [{ path: '/after/password', value: 'orange "boat"' }, 'ok harbour', 'Orange "Boat"s'];
  assert.deepEqual(JSON.parse(await conceal.json(JSON.stringify(output))), [
    { path: '/after/password', value: '[redacted]' },
    'ok harbour',
    '[redacted]s',
  ]);
  const many = JSON.stringify(Array.from({ length: 10_000 }, (_, at) => ({ token: `secret-${at}`, x: '' })));
  const heldMs = await heldTimeOf(
    async () => {
      const busy = concealer([]);
      await busy.learn(many);
      return busy.json(many);
    },
    { tries: 2 },
  );
  assert.ok(heldMs < 50, `${heldMs} ms`);
});

test('a given word is found in any case', async () => {
  const conceal = concealer(['0xab5801a7d398351b8be11c439e05c5b3259aec9b']);
  const output = 'Sent to 0xAb5801a7D398351b8bE11C439e05C5B3259aeC9B.';
  assert.equal(await conceal.text(output), 'Sent to [redacted].');
});

test('a long line is never split between the name of a secret and its value', async () => {
  const secret = '"password": "open sesame 123", ';
  for (let before = 32_728; before <= 32_768; before += 4) {
    const line = `${'"a": "bc", '.repeat(before / 11)}${' '.repeat(before % 11)}${secret}${'"a": "bc", '.repeat(3_000)}`;
    assert.doesNotMatch(`${await concealer([]).text(line)}`, /sesame|123/, `${before}`);
  }
});

test('many empty texts hold the loop for less than 50 ms', async () => {
  const given = JSON.stringify(Array.from({ length: 50_000 }, () => ''));
  const heldMs = await heldTimeOf(() => concealer(['ada@example.org']).json(given), { tries: 4 });
  assert.ok(heldMs < 50, `${heldMs} ms`);
});

test('JSON keeps its form where nothing is taken out, and very many names hold the loop for less than 50 ms', async () => {
  const json = '{"a" : [1e3, "\\u0041 \\"x\\"", {}],"b":{"token":5,"password":"\\"hunter2","c":""}}';
  const clean = json.replace('"\\"hunter2"', '"[redacted]"');
  const conceal = concealer([]);
  assert.equal(await conceal.json(json), clean);
  assert.equal(await conceal.json(clean), clean);
  const given = JSON.stringify(Object.fromEntries(Array.from({ length: 180_000 }, (_, at) => [`name_${at}`, ''])));
  const heldMs = await heldTimeOf(() => concealer(['ada@example.org']).json(given), { tries: 4 });
  assert.ok(heldMs < 50, `${heldMs} ms`);
});

test('a megabyte of hostile text holds the loop for less than 50 ms', async () => {
  for (const piece of ['password=', 'a', '"\\', 'a://b', 'token: "', '-----BEGIN A PRIVATE KEY-----']) {
    const heldMs = await heldTimeOf(
      () => concealer(['ada@example.org']).json(JSON.stringify(piece.repeat(1_000_000 / piece.length))),
      {
        tries: 4,
      },
    );
    assert.ok(heldMs < 50, `${piece}: ${heldMs} ms`);
  }
});

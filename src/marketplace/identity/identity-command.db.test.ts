import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneDatabase } from '#test/databases.ts';
import { linkNow, saveAll } from '#test/linking.ts';
import { listing, remote } from '#test/listings.ts';
import { identityCommand } from './identity-command.ts';

oneDatabase('capstand identity', (open) => {
  test('prints members, evidence and keys; exits with 3 for an unknown listing and 2 for wrong usage', async () => {
    const database = await open();
    await saveAll(database, [
      listing('docker', 'tides', remote('https://tides.example/mcp')),
      listing('mcp-registry', 'org.moon/sea', { ...remote('https://tides.example/sse'), name: 'Sea' }),
    ]);
    await linkNow(database);
    let out = '';
    const io = { stdout: { write: (text: string | Uint8Array) => (out += text) }, stderr: { write: () => true } };
    const run = (...argv: string[]) => identityCommand(argv, io as never, database);
    assert.equal(await run('docker', 'tides'), 0);
    assert.match(out, /with mcp-registry org\.moon\/sea: remote tides\.example/);
    assert.match(out, /key server\|remote\|tides\.example {2}2\n/);
    out = '';
    assert.equal(await run('docker', 'tides', '--json'), 0);
    assert.equal(JSON.parse(out).members.length, 2);
    assert.equal(await run('docker', 'Tides'), 3);
    assert.equal(await run('docker'), 2);
  });
});

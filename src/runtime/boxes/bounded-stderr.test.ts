import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { mock, test } from 'node:test';
import { boundedStderr } from './bounded-stderr.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('the first bytes are kept, and a flood after them is read with pauses, to its end', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const source = new PassThrough();
    const kept = text(boundedStderr(source, 10));
    source.write('0123456789abc');
    await turn();
    assert.equal(source.isPaused(), false, 'a few more bytes than are kept cost nothing');
    for (let round = 0; round < 3; round++) {
      source.write(Buffer.alloc(1_048_576));
      await turn();
      assert.equal(source.isPaused(), true, `after ${round + 1} MiB`);
      mock.timers.tick(50);
      assert.equal(source.isPaused(), false);
    }
    source.end();
    assert.equal(await kept, '0123456789\n[standard error was cut after 10 bytes]\n');
  } finally {
    mock.timers.reset();
  }
});

import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { mock, test } from 'node:test';
import { boundedStderr } from './bounded-stderr.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('the first bytes are kept, and a flood after them is read with longer and longer pauses, to its end', async () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const source = new PassThrough();
    const kept = text(boundedStderr(source, 10));
    source.write('0123456789abc');
    await turn();
    assert.equal(source.isPaused(), false, 'a few more bytes than are kept cost nothing');
    for (const pauseMs of [50, 100, 200, 400, 800, 1_600, 1_600]) {
      source.write(Buffer.alloc(1_048_576));
      await turn();
      mock.timers.tick(pauseMs - 1);
      assert.equal(source.isPaused(), true, `for ${pauseMs} ms`);
      mock.timers.tick(1);
      assert.equal(source.isPaused(), false);
    }
    source.end();
    assert.equal(await kept, '0123456789\n[standard error was cut after 10 bytes]\n');
  } finally {
    mock.timers.reset();
  }
});

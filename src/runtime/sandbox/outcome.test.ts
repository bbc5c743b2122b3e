import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuTimeOf } from '#test/cpu-time.ts';
import { type Signs, statusOf } from './outcome.ts';

const signs = (more: Partial<Signs>): Signs => ({
  stopped: null,
  exit_code: 1,
  stderr: '',
  end: { code: 0, signal: null, complaint: '' },
  ...more,
});

test('timed_out: the server stopped the script, even if it exited with 0', () => {
  assert.equal(statusOf(signs({ stopped: 'timed_out', exit_code: 0 })), 'timed_out');
});

test('without other signs, the exit code decides between completed and failed', () => {
  assert.equal(statusOf(signs({ exit_code: 0, stderr: 'MemoryError' })), 'completed');
  assert.equal(statusOf(signs({ exit_code: 2 })), 'failed');
});

test('memory_exceeded: the engine ran out of heap', () => {
  const complaint = 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory';
  assert.equal(
    statusOf(signs({ exit_code: null, end: { code: null, signal: 'SIGABRT', complaint } })),
    'memory_exceeded',
  );
  assert.equal(statusOf(signs({ exit_code: null })), 'failed');
});

test('memory_exceeded: the last lines on standard error report a lack of memory', () => {
  for (const stderr of [
    'Traceback (most recent call last):\n  …\nMemoryError\n',
    'at /workspace/skill/main:1:46: out of memory\n',
    'bash: word expansion: string length limit exceeded (67108864 bytes)\n',
    'object type     : 0x252760\nobject type name: MemoryError\nobject repr     : MemoryError()\nlost sys.stderr\n',
    'object type name: MemoryError\nobject repr     : Fatal Python error: _PyThreadState_Attach: non-NULL old thread state\n',
    'object type name: OSError\nobject repr     : Fatal Python error: _PyThreadState_Attach: non-NULL old thread state\n',
  ])
    assert.equal(statusOf(signs({ stderr })), 'memory_exceeded', stderr);
  assert.equal(statusOf(signs({ stderr: 'MemoryError was caught\nall well but the exit code\n' })), 'failed');
});

test('output_exceeded: the engine reports that it cut the output', () => {
  for (const stderr of [
    'python3: total output size exceeded (>400000 bytes), increase executionLimits.maxOutputSize\n',
    'bash: seq: output size limit exceeded (400000 bytes)\n',
  ])
    assert.equal(statusOf(signs({ stderr })), 'output_exceeded', stderr);
});

test('classifies megabytes of standard error in less than 50 ms of processor time', () => {
  for (const stderr of ['string length '.repeat(50_000), ': out of memory: '.repeat(50_000), '\n'.repeat(4_000_000)]) {
    const tookMs = cpuTimeOf(() => statusOf(signs({ stderr })), 50);
    assert.ok(tookMs < 50, `${JSON.stringify(stderr.slice(0, 16))} took ${tookMs} ms`);
  }
});

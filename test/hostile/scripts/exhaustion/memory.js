// tries: arrays, strings, buffers and closures until memory ends, catching every error on the way
// ends: memory_exceeded, failed, timed_out
// when: soak
// limits: {"timeout_ms":5000}
const kept = [];
let text = 'xxxxxxxx';
for (;;)
  for (const make of [() => new Uint8Array(4e6).fill(1), () => new Array(4e5).fill({}), () => (text += text).slice(1), () => 'y'.repeat(2e6), () => new SharedArrayBuffer(2 ** 28)])
    try {
      kept.push(make());
    } catch {}

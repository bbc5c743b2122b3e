// tries: waits on shared memory, on timers and on a shell that sleeps
// ends: timed_out, failed, completed
// when: soak
// limits: {"timeout_ms":900}
try {
  require('child_process').execSync('sleep 100000');
} catch {}
Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0);

/**
 * Waits until the value has changed, as a lock must, and not only until a thread was woken. The engine's two threads
 * take turns on one word of shared memory: the thread that answers writes the word and wakes the other after it, so a
 * wake may arrive when the other already waits for its next answer. Without this a busy machine takes that wake for a
 * failed operation, and a file that Python closes is lost without a word. Loaded first in the child and, since workers
 * inherit the flag, in each of its workers.
 */
const { wait, load } = Atomics;
// Taken now: the engine takes the global away before it runs a script.
const clock = performance;
const { defineProperty } = Object;

function patientWait(words, index, expected, timeout_ms = Number.POSITIVE_INFINITY) {
  const end = clock.now() + timeout_ms;
  for (;;) {
    const left_ms = end - clock.now();
    const outcome = wait(words, index, expected, left_ms > 0 ? left_ms : 0);
    if (outcome !== 'ok' || load(words, index) !== expected) return outcome;
  }
}

defineProperty(Atomics, 'wait', { value: patientWait, enumerable: false, writable: true, configurable: true });

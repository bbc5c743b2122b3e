import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a service under test, ahead of the program: says by messages to its parent how much processor time its serving
 * thread was held. While it measures it takes a turn of the event loop after every other, so that no two callbacks of the
 * program are counted as one for long.
 */
if (isMainThread && process.send !== undefined) {
  let measuring = false;
  let began;
  let last;
  let worst_us = 0;
  // Reading the time of the process first makes that of the thread exact: Linux adds it up at clock ticks.
  const timeUs = () => {
    process.cpuUsage();
    const { user, system } = process.threadCpuUsage();
    return user + system;
  };
  const turn = () => {
    const now = timeUs();
    worst_us = Math.max(worst_us, now - last);
    last = now;
    if (measuring) setImmediate(turn);
  };
  process.on('message', ({ id, kind }) => {
    if (kind === 'begin') {
      measuring = true;
      worst_us = 0;
      began = timeUs();
      last = began;
      setImmediate(turn);
      process.send({ id });
      return;
    }
    if (kind === 'collect') globalThis.gc?.();
    measuring = false;
    const total_us = began === undefined ? 0 : timeUs() - began;
    process.send({ id, worst_ms: worst_us / 1_000, total_ms: total_us / 1_000, rss_mb: process.memoryUsage.rss() / 2 ** 20 });
  });
  // The program may exit even with this listener.
  process.channel?.unref();
}

/** A kind of work for tests of the worker pool: performs scripted actions, good or bad. */
type Order =
  | { echo: unknown }
  | { spin_ms: number }
  | { fill: true }
  | { fail: string }
  | { exit: true }
  | { environment: true };

export function run(order: Order): unknown {
  if ('spin_ms' in order) return spin(order.spin_ms);
  if ('fill' in order) return fill();
  if ('fail' in order) throw new TypeError(order.fail);
  if ('exit' in order) return process.exit(3);
  if ('environment' in order) return Object.keys(process.env);
  return order.echo;
}

/** Works for so much processor time. */
function spin(ms: number): string {
  const before = process.threadCpuUsage();
  for (;;) {
    const { user, system } = process.threadCpuUsage(before);
    if (user + system >= ms * 1_000) return 'spun';
  }
}

function fill(): number {
  const kept: number[][] = [];
  for (;;) kept.push(Array.from({ length: 10_000 }, Math.random));
}

import { Gauge, type Registry } from 'prom-client';
import type { Sandbox } from './sandbox.ts';

/** `capstan_sandbox_running` and `capstan_sandbox_queued`, read when they are asked for. */
export function gaugeSandbox(registry: Registry, sandbox: Pick<Sandbox, 'counts'>): void {
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  gauge('capstan_sandbox_running', 'Sandboxed processes that are there now.', () => sandbox.counts().running);
  gauge('capstan_sandbox_queued', 'Runs that wait for a place in the sandbox.', () => sandbox.counts().queued);
}

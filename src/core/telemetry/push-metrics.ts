import type { Attributes } from '@opentelemetry/api';
import type { OtlpTarget } from './exporter.ts';
import type { Shown } from './metric-data.ts';
import type { MetricSender } from './metric-sender.ts';

interface PushOptions {
  target: OtlpTarget;
  interval_ms: number;
  /** Whether to send once more at shutdown. */
  at_end: boolean;
  resource: Attributes;
  read(): Promise<readonly Shown[]>;
  /** The collector rejected them. */
  on_error(error: unknown): void;
}

/** Sends metrics periodically, one batch at a time. The code for it is loaded with the first. */
export function pushMetrics({ target, interval_ms, at_end, resource, read, on_error }: PushOptions): {
  close(): Promise<void>;
} {
  let sender: Promise<MetricSender> | undefined;
  let sending: Promise<void> | undefined;
  const send = async (): Promise<void> => {
    try {
      sender ??= import('./metric-sender.ts').then((module) => module.startMetricSender(target, resource));
      await (await sender).send(await read());
    } catch (error) {
      on_error(error);
    }
  };
  const push = (): void => {
    sending ??= send().finally(() => {
      sending = undefined;
    });
  };
  const timer = setInterval(push, interval_ms).unref();
  return {
    close: async () => {
      clearInterval(timer);
      await (sending ?? (at_end ? send() : undefined));
      await (await sender)?.close();
    },
  };
}

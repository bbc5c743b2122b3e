import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';

/** Hears of a body while it arrives. */
export interface BodyListener {
  /** Each piece, before its reader gets it. May refuse it by a throw, which ends the body. */
  piece(bytes: Uint8Array): void;
  /** Called with the error that its reader gets. */
  broken(error: unknown): void;
  /** Called once, when the body has ended, failed or been cancelled. */
  ended(): void;
}

interface BodyLimits {
  max_bytes: number;
  listener?: BodyListener | undefined;
  /** Called once, when the body has ended, failed or been cancelled. */
  done: () => void;
  /** Converts errors of the transport for the caller. */
  explain: (error: unknown) => unknown;
}

/**
 * Passes the body through while it is under the limit. Counts decoded bytes, so that small compression bombs are caught
 * too.
 */
export function cappedBody(body: ReadableStream<Uint8Array>, limits: BodyLimits): ReadableStream<Uint8Array> {
  const { listener } = limits;
  const reader = body.getReader();
  let bytes = 0;
  let isOver = false;
  const end = (): void => {
    isOver = true;
    limits.done();
    listener?.ended();
  };
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        // A reader that cancels meanwhile gets nothing more.
        if (isOver) return;
        if (done) {
          end();
          return controller.close();
        }
        bytes += value.byteLength;
        if (bytes > limits.max_bytes) throw tooLarge(limits.max_bytes);
        listener?.piece(value);
        controller.enqueue(value);
      } catch (error) {
        await reader.cancel(error).catch(() => {});
        if (isOver) return;
        const explained = limits.explain(error);
        end();
        listener?.broken(explained);
        controller.error(explained);
      }
    },
    async cancel(reason) {
      if (!isOver) end();
      await reader.cancel(reason).catch(() => {});
    },
  });
}

export const tooLarge = (max_bytes: number): Problem =>
  coreProblem('outbound.failed', `Response too large (limit: ${max_bytes} bytes).`, { reason: 'too_large' });

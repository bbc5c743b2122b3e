import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';

interface BodyLimits {
  max_bytes: number;
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
  const reader = body.getReader();
  let bytes = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          limits.done();
          return controller.close();
        }
        bytes += value.byteLength;
        if (bytes > limits.max_bytes) throw tooLarge(limits.max_bytes);
        controller.enqueue(value);
      } catch (error) {
        await reader.cancel(error).catch(() => {});
        limits.done();
        controller.error(limits.explain(error));
      }
    },
    async cancel(reason) {
      limits.done();
      await reader.cancel(reason).catch(() => {});
    },
  });
}

export const tooLarge = (max_bytes: number): Problem =>
  coreProblem('outbound.failed', `Response too large (limit: ${max_bytes} bytes).`, { reason: 'too_large' });

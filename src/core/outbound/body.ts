import { Problem } from '#core/problem/problem.ts';

export interface BodyLimits {
  max_bytes: number;
  /** Called once, when the body has ended, failed or been given up. */
  done: () => void;
  /** Turns what the transport throws into what the caller should see. */
  explain: (error: unknown) => unknown;
}

/** The body, passed through while it stays under the cap. Counts decoded bytes, so that a small bomb is one too. */
export const cappedBody = (body: ReadableStream<Uint8Array>, limits: BodyLimits): ReadableStream<Uint8Array> => {
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
};

export const tooLarge = (max_bytes: number): Problem =>
  new Problem('upstream_failed', 'outbound.too_large', `Response too large (limit: ${max_bytes} bytes).`);

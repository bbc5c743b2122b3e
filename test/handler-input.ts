import type { Input, Reply } from '#core/http/operation.ts';

/** What a handler is called with. */
export const input = (input: Partial<Input> & { accept?: string }): never =>
  ({ params: {}, query: {}, raw_path: '/', headers: { accept: input.accept }, ...input }) as never;

/** A reply with a whole body. */
export const text = async (reply: Reply | Promise<Reply>): Promise<Reply & { body: string }> =>
  (await reply) as Reply & { body: string };

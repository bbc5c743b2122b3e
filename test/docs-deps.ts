import { CONTRACT_VERSION, OPERATIONS } from '#app/contract.ts';
import { readOpenApi } from '#app/guides.ts';
import { ERRORS } from '#app/problems.ts';
import type { Input, Reply } from '#core/http/operation.ts';
import type { PageRequest } from '#core/http/pages.ts';
import type { DocsDeps } from '#surfaces/docs/routes.ts';
import type { TextDeps } from '#surfaces/docs/text-routes.ts';

/** What the docs feature is given. */

export async function docsDeps(given: Partial<DocsDeps> = {}): Promise<DocsDeps & TextDeps> {
  return {
    operations: OPERATIONS,
    contract_version: CONTRACT_VERSION,
    errors: ERRORS,
    public_url: null,
    base_url: 'http://127.0.0.1:8080',
    skills: { skills: [] },
    answerPage,
    guides: async () => new Map(),
    openapi: readOpenApi,
    ...given,
  };
}

/** A page that says where it stands. */
export const answerPage = async ({ url }: PageRequest): Promise<Reply> => ({
  media_type: 'text/html; charset=utf-8',
  body: `page of ${url}`,
});

/** What a handler is called with. */
export const input = (input: Partial<Input> & { accept?: string }): never =>
  ({ params: {}, query: {}, raw_path: '/', raw_query: '', headers: { accept: input.accept }, ...input }) as never;

/** A reply with a whole body. */
export const text = async (reply: Reply | Promise<Reply>): Promise<Reply & { body: string }> =>
  (await reply) as Reply & { body: string };

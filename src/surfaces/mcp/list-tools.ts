import { type Handler, json, type Reply } from '#core/http/operation.ts';
import type { Offer } from '#core/tools/offer.ts';
import type { mcpContract } from './contract.ts';

/** The offer does not change while the process runs. */
export const UNCHANGING = { cache_control: 'public, max-age=60' };

export function listTools({ tools }: Offer): Handler<typeof mcpContract.listTools> {
  let reply: Reply | undefined;
  return () => (reply ??= json({ items: tools.map(describe), total_count: tools.length }, UNCHANGING));
}

const describe = ({
  name,
  title,
  description,
  scope,
  input,
  output,
  annotations,
  example,
}: Offer['tools'][number]) => ({
  name,
  title,
  description,
  auth: scope === null ? 'none' : 'jwt',
  scope,
  input_schema: input,
  output_schema: output,
  annotations,
  example,
});

import { type Handler, json } from '#core/http/operation.ts';
import type { Offer } from '#core/tools/offer.ts';
import type { mcpContract } from './contract.ts';
import { UNCHANGING } from './list-tools.ts';

export function listPrompts({ prompts }: Offer): Handler<typeof mcpContract.listPrompts> {
  const items = prompts.map(({ name, title, description, arguments: all }) => ({
    name,
    title,
    description,
    arguments: all.map((argument) => ({
      name: argument.name,
      description: argument.description,
      required: argument.required,
    })),
    auth: 'none',
  }));
  return () => json({ items, total_count: items.length }, UNCHANGING);
}

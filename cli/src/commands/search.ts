import type { Command } from 'commander';
import { contextOf } from '../context.ts';
import { usage } from '../failure.ts';
import { cut, type Paint } from '../output.ts';
import type { World } from '../world.ts';

interface Asked {
  type?: 'skill' | 'server' | 'harness' | 'rig';
  class?: 'prompt' | 'scripted' | 'mcp';
  provider?: 'mcp-registry';
  tag?: string;
  verified?: boolean;
  sort: 'relevance' | 'downloads' | 'stars' | 'updated' | 'name';
  limit: string;
  offset: string;
}

export function addSearch(program: Command, world: World): void {
  program
    .command('search')
    .summary('search everything that is listed')
    .description('Search everything that is listed, the best match first.')
    .argument('<words...>', 'what you need done, or a name')
    .option('--type <type>', 'skill, server, harness or rig')
    .option('--class <class>', 'prompt, scripted or mcp')
    .option('--provider <provider>', 'only what this provider lists')
    .option('--tag <tag>', 'only with exactly this tag')
    .option('--verified', 'only what has run here')
    .option('--sort <order>', 'relevance, downloads, stars, updated or name', 'relevance')
    .option('--limit <n>', 'results on a page', '10')
    .option('--offset <n>', 'results before the page', '0')
    .action(async (words: string[], asked: Asked, command: Command) => {
      const context = contextOf(world, command);
      const { capstan } = await context.open();
      const filters = {
        ...(asked.type === undefined ? {} : { listing_type: asked.type }),
        ...(asked.class === undefined ? {} : { execution_class: asked.class }),
        ...(asked.provider === undefined ? {} : { provider: asked.provider }),
        ...(asked.tag === undefined ? {} : { tag: asked.tag }),
        ...(asked.verified === true ? { verified: true } : {}),
      };
      const { sort } = asked;
      const [limit, offset] = [whole(asked.limit, '--limit'), whole(asked.offset, '--offset')];
      const body = { query: words.join(' '), filters, sort, limit, offset };
      const found = await capstan.marketplace.searchMarketplace({ body });
      context.show(found, ({ items }, paint) => items.map((it) => line(it, paint)).join('\n'));
      const shown = offset + found.items.length;
      if (found.total_count > shown) context.say(`${shown} of ${found.total_count}; more with --offset ${shown}`);
      if (found.items.length === 0) context.say('Nothing was found. Fewer or other words find more.');
    });
}

export function whole(text: string, flag: string): number {
  if (!/^\d{1,9}$/.test(text)) throw usage(`${flag} ${text} is no whole number.`);
  return Number(text);
}

interface Found {
  id: string;
  name: string;
  description: string;
  listing_type: string;
  execution_class: string;
  verification: { level: string };
  sources: { provider: string; external_id: string }[];
}

function line({ id, name, description, listing_type, execution_class, verification, sources }: Found, paint: Paint) {
  const [first] = sources;
  // A skill that the service itself carries is known by its bare name.
  const own = id.startsWith('skill/') ? id.slice('skill/'.length) : id;
  const ref = first === undefined || first.provider === 'capstan' ? own : `${first.provider}/${first.external_id}`;
  const kind = `${listing_type} · ${execution_class} · ${verification.level}`;
  const from = sources.length > 1 ? ` · ${sources.length} sources` : '';
  return [
    `${paint('bold', cut(name, 60))}  ${paint('dim', kind + from)}`,
    `  ${paint('cyan', cut(ref, 120))}`,
    ...(description === '' ? [] : [`  ${cut(description, 110)}`]),
  ].join('\n');
}

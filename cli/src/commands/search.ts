import type { Answer } from '../../../sdk/src/index.ts';
import { command } from '../command.ts';
import { cut, type Paint, safe } from '../output.ts';
import { PROVIDERS } from '../ref.ts';
import { findingLines } from '../verification.ts';

export const search = command('search <words...>', {
  summary: 'search the catalog',
  about: 'Search the catalog, best matches first.',
  args: { words: 'what you want to do, or a name' },
  options: {
    '--type <type>': { about: 'filter by type', choices: ['skill', 'server', 'harness', 'rig'] },
    '--class <class>': { about: 'filter by execution class', choices: ['prompt', 'scripted', 'mcp'] },
    '--provider <provider>': { about: 'filter by provider', choices: PROVIDERS },
    '--tag <tag>': 'filter by exact tag',
    '--runs': 'only capabilities that ran here, or whose server answered the last probe',
    '--ready': 'only capabilities that need no account and no key',
    '--confirmed': 'only capabilities of a confirmed publisher',
    '--level <level>': { about: 'lowest level of proof', choices: ['listed', 'checked', 'ran', 'reproduced', 'used'] },
    '--license <license>': {
      about: 'filter by license',
      choices: ['mit', 'apache-2.0', 'open_source', 'other', 'none'],
    },
    '--category <category>': 'what it is for, such as databases or security',
    '--updated <within>': { about: 'updated within this many days', choices: ['30d', '365d'] },
    '--verified': 'only capabilities reproduced here or used by independent accounts',
    '--copies-of <id>': 'list the results with the same text as this one',
    '--as-typed': 'search for the words as they are, without corrections and translations',
    '--sort <order>': {
      about: 'sort order',
      choices: ['relevance', 'downloads', 'stars', 'updated', 'name'],
      default: 'relevance',
    },
    '--limit <n>': { about: 'results per page', whole: true, default: 10 },
    '--offset <n>': { about: 'results to skip', whole: true, default: 0 },
  },
  call: (
    { capstan },
    { words, type, provider, tag, runs, ready, license, copiesOf, asTyped, sort, limit, offset, ...asked },
  ) => {
    const { category, level, updated } = asked;
    const only = {
      listing_type: type,
      execution_class: asked.class,
      provider,
      tag,
      verified: asked.verified || undefined,
      confirmed: asked.confirmed || undefined,
      availability: runs ? ['runs' as const] : ready ? ['runs' as const, 'untried' as const] : undefined,
      license: license === undefined ? undefined : [license as 'mit'],
      level: level as 'ran' | undefined,
      category: category as 'code' | undefined,
      updated: updated as '30d' | undefined,
    };
    const body = { query: words.join(' '), as_typed: asTyped, copies_of: copiesOf, filters: only, sort, limit, offset };
    return capstan.listings.search({ body });
  },
  text: ({ items }, paint) => items.map((item) => line(item, paint)).join('\n'),
  after({ say }, { items, total_count, corrected = [], translated = [] }, { offset, asTyped }) {
    // The service may be older than this program.
    const instead = [...corrected, ...translated].map(
      ({ from, to }) => `"${cut(to, 60)}" instead of "${cut(from, 60)}"`,
    );
    if (instead.length > 0)
      say(`Searched for ${instead.join(', ')}. Use --as-typed to search for the words as they are.`);
    const shown = offset + items.length;
    if (total_count > shown) say(`${shown} of ${total_count}; next page: --offset ${shown}`);
    if (items.length > 0) return;
    if (total_count > 0) return say(`No results after the first ${total_count}. Use a smaller --offset.`);
    const again = asTyped ? 'Search without --as-typed, which also corrects and translates words, or try' : 'Try';
    say(`No results. ${again} fewer or different words.`);
  },
});

type Found = Answer<'marketplace.listings.search'>['items'][number];

function line(
  {
    id,
    name,
    description,
    listing_type,
    execution_class,
    verification,
    sources,
    flagged,
    tool,
    copies = 0,
    resembles,
  }: Found,
  paint: Paint,
) {
  const [first] = sources;
  // Skills of the service are referenced by their plain name.
  const own = id.startsWith('skill/') ? id.slice('skill/'.length) : id;
  const ref = first === undefined || first.provider === 'capstan' ? own : `${first.provider}/${first.external_id}`;
  const kind = `${listing_type} · ${execution_class} · ${verification.level}`;
  const from = sources.length > 1 ? ` · ${sources.length} sources` : '';
  return [
    `${paint('bold', cut(name, 60))}  ${paint('dim', kind + from)}`,
    `  ${paint('cyan', cut(ref, 120))}`,
    ...(flagged ? [`  ${paint('red', 'FLAGGED: see capstan show')}`] : []),
    ...(resembles == null ? [] : [`  ${paint('red', `CAUTION: ${cut(resembles.detail, 240)}`)}`]),
    ...findingLines(verification).map((text) => `  ${text}`),
    // The service may be older than this program.
    ...(tool == null ? [] : [`  tool ${paint('bold', cut(tool, 80))}`]),
    ...(description === '' ? [] : [`  ${cut(description, 110)}`]),
    ...(copies > 0
      ? [`  ${paint('dim', `and ${copies} ${copies === 1 ? 'copy' : 'copies'}: --copies-of ${safe(id)}`)}`]
      : []),
  ].join('\n');
}

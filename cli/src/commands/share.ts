import { command } from '../command.ts';
import { usage } from '../failure.ts';
import { facts } from '../output.ts';

const DAY_MS = 86_400_000;

export const share = command('share <run>', {
  summary: 'share a run by a link, or revoke its links',
  about:
    'Share the result of a run that has ended. Others see the result, and what you add with --input, --trace and ' +
    '--names. Account details and anything that looks like a secret are removed. The link is printed once.',
  args: { run: 'task id' },
  options: {
    '--input': 'also show the input',
    '--trace': 'also show the steps: operations, times and outcomes',
    '--names': 'also show names that you gave: the title, and those of connections, rigs and harnesses',
    '--days <n>': { about: 'days until the link stops working; default: until you revoke it', whole: true },
    '--preview': 'show what others would see, without sharing',
    '--list': 'list the links',
    '--revoke': 'revoke every link',
  },
  async call({ capstan, url }, { run: id, input, trace, names, days, preview, list, revoke }) {
    if ([preview, list, revoke].filter(Boolean).length > 1)
      throw usage('--preview, --list and --revoke cannot be used together.', 'Use one of them.');
    const shows = { input, trace, names };
    if (preview) return { preview: await capstan.tasks.previewShare({ id, ...shows }) };
    if (list) return { links: (await capstan.tasks.listShares({ id })).items };
    if (revoke) {
      const { items } = await capstan.tasks.listShares({ id });
      for (const { id: share_id } of items) await capstan.tasks.unshare({ id, share_id });
      return { revoked: items.length };
    }
    const end = days === undefined ? {} : { expires_at: new Date(Date.now() + days * DAY_MS).toISOString() };
    const { token: _, path, ...made } = await capstan.tasks.share({ id, body: { ...shows, ...end } });
    return { url: `${url}${path}`, ...made };
  },
  empty: (answer, { run }) =>
    'links' in answer && answer.links.length === 0 ? `No links. Create one: capstan share ${run}` : null,
  text: (answer) =>
    'url' in answer
      ? facts({ url: answer.url, shows: shownWords(answer.shows), expires: answer.expires_at ?? 'when you revoke it' })
      : 'links' in answer
        ? answer.links
            .map(({ id, created_at, shows }) => `${id}  ${created_at.slice(0, 16)}  ${shownWords(shows)}`)
            .join('\n')
        : 'revoked' in answer
          ? `${answer.revoked} links revoked`
          : JSON.stringify(answer.preview, null, 2),
});

const shownWords = ({ input, trace, names }: { input: boolean; trace: boolean; names: boolean }): string =>
  ['result', input && 'input', trace && 'trace', names && 'names'].filter((word) => word !== false).join(', ');

import type { Answer } from '../../../sdk/src/index.ts';
import { command } from '../command.ts';
import { safe, table } from '../output.ts';

/** What the user publishes: what needs an answer first, then the listings. */

type OwnPublisher = Answer<'marketplace.publishers.getOwn'>;

export const published = command('published', {
  summary: 'what you publish, and what needs an answer',
  about:
    'List what needs an answer, the most urgent first, and your listings with their runs, findings and open reports.',
  call: ({ capstan }) => capstan.publishers.getOwn(),
  text: publishedText,
});

function publishedText({ publisher, attention, listings }: OwnPublisher): string {
  if (publisher === null) return 'You have published nothing yet. Publish a folder with capstan publish.';
  const answers = attention.map(({ kind, name, detail }) => safe(`${kind.replaceAll('_', ' ')}  ${name}: ${detail}`));
  const rows = listings.map((listing) => [
    listing.name,
    listing.latest ?? '-',
    stateOf(listing),
    `${listing.runs} runs`,
    `${listing.findings} findings`,
    listing.id,
  ]);
  return [...answers, ...(answers.length > 0 && rows.length > 0 ? [''] : []), table(rows)].join('\n').trimEnd();
}

function stateOf({ taken_down, status, flags, open_reports }: OwnPublisher['listings'][number]): string {
  if (taken_down) return 'taken down';
  if (status === 'unpublished') return status;
  if (flags > 0) return 'flagged';
  return open_reports > 0 ? `${open_reports} reports` : 'listed';
}

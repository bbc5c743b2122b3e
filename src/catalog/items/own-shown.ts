import { DATA_NOTE, type Next, nextText, plain, quoted } from '#core/tools/words.ts';
import type { OwnDetail } from './own-listings.ts';
import { findingWords, type Verification, verificationWords } from './verification.ts';

/** The verification as shown to models, with untrusted text made plain. */
export const shownVerification = (verification: Verification) => ({
  ...verification,
  findings: verification.findings.map((found) => ({ ...found, place: plain(found.place, 200) })),
  upstream: verification.upstream.map((verdict) => ({ ...verdict, detail: plain(verdict.detail, 200) })),
});

/** One line for the level, and one for each finding above `note`. */
export const verificationLines = (verification: Verification): string[] => [
  `Verification: ${verificationWords(verification)}.`,
  ...verification.findings
    .filter(({ severity }) => severity !== 'note')
    .map((found) => `- ${plain(findingWords(found), 400)}`),
];

/** A published listing as registry_get_listing returns it. */
export function ownShown({ item, license, notes, runs, verification }: OwnDetail) {
  const { external_id, listing_type, version } = item;
  const capability = { kind: 'capability', ref: external_id, version };
  const next: Next = { tool: 'task_create', arguments: { capability, input: runs.input } };
  const page = `/api/marketplace/listings/${external_id}`;
  const structured = {
    name: plain(item.name),
    provider: item.provider_id,
    external_id,
    listing_type,
    version,
    license,
    page,
    execution_class: item.execution_class,
    description: plain(item.description, 1_000),
    author: item.author,
    install: '',
    clients: [],
    tools: [],
    tags: item.tags.map((tag) => plain(tag, 50)),
    updated_at: item.external_updated_at,
    runnable: { reason: null, detail: runs.detail },
    verification: shownVerification(verification),
    next,
  };
  const text = [
    `${quoted(item.name)}: ${listing_type}, ${item.execution_class} | published here | version ${version} | license ${quoted(license, 60)}. ${DATA_NOTE}`,
    ...(structured.description === '' ? [] : [quoted(item.description, 1_000)]),
    ...notes.map((note) => plain(note, 600)),
    ...verificationLines(verification),
    `Files: GET ${page}/versions/${version}`,
    runs.detail,
    `Next: ${nextText(next)}, then task_start (both need a token).`,
  ].join('\n');
  return { structured, text };
}

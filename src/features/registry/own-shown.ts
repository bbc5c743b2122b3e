import { DATA_NOTE, type Next, nextText, plain, quoted } from '../../platform/tools/words.ts';
import type { OwnDetail } from './own-listings.ts';
import { type Verification, verificationWords } from './verification.ts';

/** What a model reads of it; what the checks found is in the listing's page. */
export const shownVerification = ({ level, since, expires_at, receipts, evidence }: Verification) => ({
  ...{ level, since, expires_at, receipts, evidence },
});

/** A listing of our own as registry_get_listing answers it. */
export function ownShown({ item, license, notes, runs, verification }: OwnDetail) {
  const { external_id, listing_type, version } = item;
  const capability = { kind: 'capability', ref: external_id, version };
  const next: Next = { tool: 'task_create', arguments: { capability, input: runs.input } };
  const page = `/api/marketplace/listings/${external_id}`;
  const structured = {
    ...{ name: plain(item.name), provider: item.provider_id, external_id, listing_type, version, license, page },
    ...{ execution_class: item.execution_class, description: plain(item.description, 1_000), author: item.author },
    ...{
      install: '',
      clients: [],
      tools: [],
      tags: item.tags.map((tag) => plain(tag, 50)),
      updated_at: item.external_updated_at,
    },
    runnable: { reason: null, detail: runs.detail },
    verification: shownVerification(verification),
    next,
  };
  const text = [
    `${quoted(item.name)}: ${listing_type}, ${item.execution_class} | published here | version ${version} | licence ${quoted(license, 60)}. ${DATA_NOTE}`,
    ...(structured.description === '' ? [] : [quoted(item.description, 1_000)]),
    ...notes.map((it) => plain(it, 600)),
    `Verified: ${verificationWords(verification)}.`,
    `Files: GET ${page}/versions/${version}`,
    runs.detail,
    `Next: ${nextText(next)}, then task_start (both need a token).`,
  ].join('\n');
  return { structured, text };
}

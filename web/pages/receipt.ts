import { CapstanError, type RunStatement, verifyBundle } from '../../sdk/src/index.ts';
import { type ReceiptFacts, receiptSection } from '../parts/receipt.ts';
import { type Html, html } from '../server/html.ts';
import type { Page, Visit } from '../server/page.ts';

/** `/receipts/{id}`: a receipt, public to anyone with its address. It contains neither its owner nor the input or output. */
export const receipt: Page = {
  get: async (visit) => {
    const facts = await receiptFacts(visit, visit.params.id as string, null);
    const content = html`<div class="head"><h1>Receipt</h1>
<p class="lead">A signed statement of what ran or was called, when, and how it ended. You can verify it here or without this service.</p></div>
<div class="run">${receiptSection(facts)}</div>`;
    return { title: 'Receipt', content, unlisted: true };
  },
};

async function receiptFacts(
  { capstan, site }: Pick<Visit, 'capstan' | 'site'>,
  id: string,
  task_id: string | null,
): Promise<ReceiptFacts> {
  const bundle = await capstan.receipts.get({ id });
  return { id, bundle, verdict: await verifyBundle(bundle, { issuer: capstan }), base_url: site.base_url, task_id };
}

export interface Proof {
  content: Html;
  /** Null if it could not be read. */
  statement: RunStatement | null;
}

/** The receipt of a task; null if nothing ran. */
export const receiptOf = async (visit: Visit, id: string | null, task_id: string | null): Promise<Html | null> =>
  (await proofOf(visit, id, task_id))?.content ?? null;

/** The same, with what the receipt states. */
export async function proofOf(visit: Visit, id: string | null, task_id: string | null): Promise<Proof | null> {
  if (id === null) return null;
  try {
    const facts = await receiptFacts(visit, id, task_id);
    const { verdict } = facts;
    return { content: receiptSection(facts), statement: 'statement' in verdict ? verdict.statement : null };
  } catch (error) {
    if (!(error instanceof CapstanError) || error.status === 0) throw error;
    const content = html`<section aria-labelledby="receipt"><h2 id="receipt">Receipt</h2><p class="failure">${error.detail}</p></section>`;
    return { content, statement: null };
  }
}

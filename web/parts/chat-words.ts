/** The answer of a turn without what its cards show. Pure. */

interface CardsShown {
  is_llm: boolean;
  /** Whether the result of the run is a card. */
  has_run: boolean;
  finds: number;
}

const CHOICE = /^\d+\. `/;

/** `by` says how it was planned; null for a language model, which is not cut. */
export function besideCards(message: string, shown: CardsShown): { text: string; by: string | null } {
  if (shown.is_llm) return { text: message, by: null };
  const end = message.lastIndexOf('\n\nPlanned without a language model: ');
  if (end < 0) return { text: message, by: null };
  return { text: withoutCards(message.slice(0, end), shown), by: message.slice(end).trim() };
}

/** The planner writes lists and results as text for clients that have no cards. */
function withoutCards(text: string, { has_run, finds }: CardsShown): string {
  if (has_run) return '';
  const lines = text.split('\n');
  const choices = lines.filter((line) => CHOICE.test(line));
  return choices.length === finds ? lines.filter((line) => !CHOICE.test(line)).join('\n') : text;
}

const RECEIPT =
  /(\]\()?`?(?:https?:\/\/[^\s/()`]{1,200})?(?:\/api\/receipts\/|receipt:\/\/)([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})`?/g;

/** Markdown whose paths of these receipts are links to their pages. */
export function linkReceipts(message: string, ids: ReadonlySet<string>, base_url: string): string {
  return message.replace(RECEIPT, (whole: string, within: string | undefined, id: string) => {
    if (!ids.has(id)) return whole;
    const address = `${base_url}/receipts/${id}`;
    return within === undefined ? `[receipt](${address})` : `](${address}`;
  });
}

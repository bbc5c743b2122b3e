import type { StepUp } from './client.ts';
import type { Operation } from './operation.ts';
import type { Purpose } from './sign-in.ts';

/** Confirmations that cover every request of a window for some minutes, while they are valid. */

export interface Confirmations {
  /** The headers of a valid confirmation, or those that `confirm` returns for the purpose. */
  headersFor(operation: Operation, purpose: Purpose, confirm: Confirm): Promise<StepUp>;
  /** Called when the service refuses a confirmation. */
  forget(operation: Operation): void;
}

type Confirm = (purpose: Purpose) => Promise<{ headers: StepUp; expires_at: string }>;

/** Time that a request needs to arrive before its confirmation expires. */
const SPARE_MS = 5_000;

/** `minutes`: null confirms every request separately. */
export function keepConfirmations(minutes: number | null): Confirmations {
  const kept = new Map<string, { headers: StepUp; until_ms: number }>();
  return {
    headersFor: async ({ id, confirm_window }, purpose, confirm) => {
      if (minutes === null || confirm_window === null) return (await confirm(purpose)).headers;
      const found = kept.get(confirm_window);
      if (found !== undefined && Date.now() < found.until_ms) return found.headers;
      const { headers, expires_at } = await confirm({ operation: id, minutes });
      kept.set(confirm_window, { headers, until_ms: Date.parse(expires_at) - SPARE_MS });
      return headers;
    },
    forget: ({ confirm_window }) => {
      if (confirm_window !== null) kept.delete(confirm_window);
    },
  };
}

/** The client's token, and when to ask for the next one. */

export interface Token {
  current(): string | null;
  set(token: string | null): void;
  /** Whether it ends soon and can be renewed. */
  isDue(): boolean;
}

/** Renewed when less than this is left; a token's whole time is a day. */
const LEFT_MS = 3_600_000;

export function keepToken(first: string | null, onChange: ((token: string | null) => void) | undefined): Token {
  let token = first;
  return {
    current: () => token,
    set: (next) => {
      if (next === token) return;
      token = next;
      onChange?.(next);
    },
    isDue: () => {
      const endsAtMs = token === null ? null : endOf(token);
      return endsAtMs !== null && endsAtMs > Date.now() && endsAtMs - Date.now() < LEFT_MS;
    },
  };
}

/** When a JWT expires; null for an API key, which does not contain its expiry. */
function endOf(token: string): number | null {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return null;
  try {
    const { exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1_000 : null;
  } catch {
    return null;
  }
}

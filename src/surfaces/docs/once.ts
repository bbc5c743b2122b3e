import type { Encoding } from '#core/http/operation.ts';

/** A text that does not change while the program runs: generated on first use and cached with its compressed forms. */
export interface Once {
  (): string;
  readonly encoded: Map<Encoding, Uint8Array>;
}

export function once(make: () => string): Once {
  let made: string | undefined;
  return Object.assign(() => (made ??= make()), { encoded: new Map<Encoding, Uint8Array>() });
}

/** The same for a text that is loaded. After a failure the next reader tries again. */
export function onceLoaded(load: () => Promise<string>): () => Promise<Once> {
  let loading: Promise<Once> | undefined;
  return () => {
    loading ??= load().then(
      (text) => once(() => text),
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
}

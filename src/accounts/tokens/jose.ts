let loading: Promise<typeof import('jose')> | undefined;

/** Loaded with the first token: 10 MB and 20 ms that a service without users never needs. */
export function jose(): Promise<typeof import('jose')> {
  loading ??= import('jose');
  return loading;
}

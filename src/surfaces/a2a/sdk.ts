/** The A2A library: JSON types, JSON-RPC binding and errors. Loaded with the first call. */
export interface Sdk {
  forms: typeof import('@a2a-js/sdk');
  server: typeof import('@a2a-js/sdk/server');
  errors: typeof import('@a2a-js/sdk/errors');
}

export async function loadSdk(): Promise<Sdk> {
  const [forms, server, errors] = await Promise.all([
    import('@a2a-js/sdk'),
    import('@a2a-js/sdk/server'),
    import('@a2a-js/sdk/errors'),
  ]);
  return { forms, server, errors };
}

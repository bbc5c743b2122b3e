/** Made-up data for the contract's examples, which therefore does not verify. */

const HEX = '9d4e1f2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6';

export const RECEIPT_ID = '019a8c1e-7f00-7000-8000-3b1f6f4f9a10';
const KEY_X = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
export const KEY_ID = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';

export const STATEMENT_EXAMPLE = {
  _type: 'https://in-toto.io/Statement/v1' as const,
  subject: [{ name: 'skill/json-diff@1.0.0', digest: { sha256: HEX } }],
  predicateType: 'urn:capstan:predicate:run:v0.2' as const,
  predicate: {
    run_id: '019a8c1e-7f00-7000-8000-3b1f6f4f9a11',
    execution_class: 'scripted' as const,
    started_at: '2026-11-20T12:00:00.000Z',
    finished_at: '2026-11-20T12:00:00.412Z',
    status: 'completed' as const,
    exit_code: 0,
    input: { hmac_sha256: HEX },
    output: { hmac_sha256: HEX },
    environment: { isolation: 'wasm+process+bwrap', engine: 'just-bash 3.4.2', network: 'none' as const },
    model: null,
    planner: null,
    trace: { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', digest: HEX },
    caller: { commitment: HEX },
    attempt: 1,
    intent: { digest: { sha256: HEX } },
  },
};

export const BUNDLE_EXAMPLE = {
  dsse: {
    payloadType: 'application/vnd.in-toto+json' as const,
    payload: 'eyJfdHlwZSI6Imh0dHBzOi8vaW4tdG90by5pby9TdGF0ZW1lbnQvdjEifQ==',
    signatures: [{ keyid: KEY_ID, sig: `${'A'.repeat(86)}==` }],
  },
  log_entry: { index: 0, size: 2, proof: ['47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='] },
  checkpoint:
    '127.0.0.1:8080/receipts\n2\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— 127.0.0.1:8080/receipts ' +
    `${'A'.repeat(91)}=\n`,
  jwk: { kty: 'OKP' as const, crv: 'Ed25519' as const, x: KEY_X },
};

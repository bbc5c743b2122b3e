import { createConfig, lintFromString } from '@redocly/openapi-core';

/**
 * What Redocly finds in a contract's YAML by its recommended rules and `ALSO`: a line for each finding. `at`: the address of
 * the document, from which relative references resolve.
 */
export async function lintContract(source: string, at: URL): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], rules: ALSO, telemetry: 'off' });
  const found = await lintFromString({ source, absoluteRef: at.pathname, config });
  return found.map((finding) => `${finding.ruleId} ${finding.location[0]?.pointer}: ${finding.message}`);
}

/** Rules that Spectral recommends and that Redocly has too, without recommending them. */
const ALSO = {
  'operation-description': 'error',
  'operation-singular-tag': 'error',
  'operation-tag-defined': 'error',
} as const;

import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';

/** What the recommended rules of the usual linters find in a contract's YAML, a line each. */

export async function redocly(source: string, at: URL): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], telemetry: 'off' });
  const found = await lintFromString({ source, absoluteRef: at.pathname, config });
  return found.map((it) => `${it.ruleId} ${it.location[0]?.pointer}: ${it.message}`);
}

export async function spectral(source: string): Promise<string[]> {
  const linter = new spectralCore.Spectral();
  linter.setRuleset({ extends: [oas as never] });
  return (await linter.run(source)).map((it) => `${it.code} ${it.path.join('/')}: ${it.message}`);
}

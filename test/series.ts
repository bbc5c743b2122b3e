import type { Registry } from 'prom-client';

/** What a registry says, without comments and without what depends on time: `name{label="x"} 3`. */
export async function seriesOf(registry: Registry, start: string): Promise<string[]> {
  const lines = (await registry.metrics()).split('\n');
  return lines.filter((line) => line.startsWith(start) && !/_(?:bucket|sum)\b/.test(line));
}

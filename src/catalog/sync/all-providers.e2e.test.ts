import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { PROVIDERS, type ProviderId } from '#catalog/items/kinds.ts';
import claudePlugins from '#catalog/providers/claude-plugins/fixture.json' with { type: 'json' };
import clawhub from '#catalog/providers/clawhub/fixture.json' with { type: 'json' };
import gemini from '#catalog/providers/gemini-extensions/fixture.json' with { type: 'json' };
import glama from '#catalog/providers/glama/fixture.json' with { type: 'json' };
import mcpRegistry from '#catalog/providers/mcp-registry/fixture.json' with { type: 'json' };
import skillsSh from '#catalog/providers/skills-sh/fixture.json' with { type: 'json' };
import smithery from '#catalog/providers/smithery/fixture.json' with { type: 'json' };
import { startClaudePluginsFake } from '#test/fakes/providers/claude-plugins.ts';
import { startClawhubFake } from '#test/fakes/providers/clawhub.ts';
import { startDockerFake } from '#test/fakes/providers/docker.ts';
import type { FakeServer } from '#test/fakes/providers/fake-server.ts';
import { startGeminiExtensionsFake } from '#test/fakes/providers/gemini-extensions.ts';
import { startGlamaFake } from '#test/fakes/providers/glama.ts';
import { startMcpRegistryFake } from '#test/fakes/providers/mcp-registry.ts';
import { startSkillsShFake } from '#test/fakes/providers/skills-sh.ts';
import { startSmitheryFake } from '#test/fakes/providers/smithery.ts';
import { until } from '#test/until.ts';
import { openWorld } from '#test/world.ts';

const docker = readFileSync(new URL('../providers/docker/fixture.yaml', import.meta.url), 'utf8');
const fakes: Record<ProviderId, FakeServer> = {
  'mcp-registry': await startMcpRegistryFake({ records: mcpRegistry, page_size: 3 }),
  smithery: await startSmitheryFake({ records: smithery, page_size: 3 }),
  glama: await startGlamaFake({ records: glama }),
  docker: await startDockerFake({ records: docker }),
  clawhub: await startClawhubFake({ records: clawhub, page_size: 3 }),
  'skills-sh': await startSkillsShFake({ records: skillsSh.mirror, page_size: 3 }),
  'claude-plugins': await startClaudePluginsFake({ records: claudePlugins }),
  'gemini-extensions': await startGeminiExtensionsFake({ records: gemini }),
};
after(async () => {
  for (const fake of Object.values(fakes)) await fake.close();
});

interface Status {
  provider: ProviderId;
  status: string;
  progress: { seen: number };
  error: { detail: string } | null;
}

test('the program syncs all providers automatically and serves their listings', async () => {
  const urls = Object.entries(fakes).map(([id, fake]): [string, string] => [
    `CAPSTAN_PROVIDER_${id.toUpperCase().replaceAll('-', '_')}_URL`,
    fake.url,
  ]);
  const env = { CAPSTAN_PROVIDERS: PROVIDERS.join(','), ...Object.fromEntries(urls) };
  await using world = await openWorld(env, 'serve');
  const read = async () => (await world.get<{ providers: Status[] }>('/api/marketplace/registry/sync')).providers;
  const states = await until('an end of all runs', async () => {
    const seen = await read();
    return !seen.some(({ status }) => ['never', 'running'].includes(status)) && seen;
  });
  for (const { provider, status, progress, error } of states) {
    assert.equal(status, 'succeeded', `${provider}: ${error?.detail}`);
    assert.ok(progress.seen > 0, provider);
    assert.match(String(fakes[provider].requests[0]?.headers['user-agent']), /^Capstan\/\d.* \(\+http/);
  }
  const lines = (await (await world.fetch('/api/marketplace/registry/export')).text()).trimEnd().split('\n');
  const exported = new Set(lines.map((line) => JSON.parse(line).provider_id));
  assert.deepEqual(exported, new Set(PROVIDERS));
  const rejected = await world.get<{ total_count: number }>('/api/marketplace/registry/rejected');
  assert.ok(rejected.total_count > 0);
});

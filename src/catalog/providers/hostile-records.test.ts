import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { invalidReason } from '#catalog/items/validate-listing.ts';
import type { Adapted } from '#catalog/sync/provider.ts';
import { anyText } from '#test/any-text.ts';
import { adaptPlugin, contextOf } from './claude-plugins/adapt.ts';
import marketplaces from './claude-plugins/fixture.json' with { type: 'json' };
import { adaptCatalogItem, adaptSkillDetail, adaptSkillItem } from './clawhub/adapt.ts';
import clawhub from './clawhub/fixture.json' with { type: 'json' };
import { adaptGeminiExtension } from './gemini-extensions/adapt.ts';
import extensions from './gemini-extensions/fixture.json' with { type: 'json' };
import { adaptConnector } from './glama/adapt.ts';
import glama from './glama/fixture.json' with { type: 'json' };
import { adaptApiSkill, adaptMirrorLine } from './skills-sh/adapt.ts';
import skills from './skills-sh/fixture.json' with { type: 'json' };

const official = marketplaces['anthropics/claude-plugins-official/main/.claude-plugin/marketplace.json'];
const context = contextOf(official, 'anthropics/claude-plugins-official');

const ADAPTERS: Record<string, { adapt: (raw: unknown) => Adapted; seeds: unknown[] }> = {
  'clawhub packages': { adapt: adaptCatalogItem, seeds: clawhub },
  'clawhub skills': { adapt: (raw) => adaptSkillItem(raw, 'owner'), seeds: [{ slug: 's', stats: { stars: 1 } }] },
  'clawhub details': {
    adapt: (raw) => adaptSkillDetail(raw, null),
    seeds: [{ skill: { slug: 's' }, owner: { handle: 'h' }, latestVersion: null }],
  },
  'skills-sh API': { adapt: adaptApiSkill, seeds: skills.api },
  'skills-sh mirror': { adapt: (raw) => adaptMirrorLine(JSON.stringify(raw) ?? ''), seeds: skills.mirror },
  'claude-plugins': { adapt: (raw) => adaptPlugin(raw, context), seeds: official.plugins },
  'glama connectors': { adapt: adaptConnector, seeds: glama.connectors },
  'gemini-extensions': { adapt: adaptGeminiExtension, seeds: extensions },
};

/** A documented record with one member replaced by an arbitrary value. */
const spoiled = (seeds: unknown[]) =>
  fc
    .tuple(fc.constantFrom(...seeds), fc.nat(), fc.oneof(fc.jsonValue(), anyText(), fc.double()))
    .map(([seed, place, value]) => {
      const keys = Object.keys(seed ?? {});
      const key = keys[place % Math.max(1, keys.length)];
      return typeof seed !== 'object' || key === undefined ? value : { ...seed, [key]: value };
    });

for (const [name, { adapt, seeds }] of Object.entries(ADAPTERS)) {
  test(`${name}: any record gives a valid listing or a rejection`, () => {
    fc.assert(
      fc.property(fc.oneof(spoiled(seeds), fc.jsonValue()), (raw) => {
        const adapted = adapt(raw);
        if (adapted.kind === 'listing') assert.equal(invalidReason(adapted.listing), null);
        else assert.ok(adapted.kind === 'rejected' && adapted.reason !== '');
      }),
      { seed: 20260906, numRuns: 200 },
    );
  });
}

/** The record once for each of its strings, with a lone surrogate in that string. */
function* halved(seed: unknown): Generator<unknown> {
  if (typeof seed === 'string') yield `${seed}\ud800`;
  if (typeof seed !== 'object' || seed === null) return;
  for (const [key, value] of Object.entries(seed))
    for (const other of halved(value))
      yield Array.isArray(seed) ? seed.with(Number(key), other) : { ...seed, [key]: other };
}

for (const [name, { adapt, seeds }] of Object.entries(ADAPTERS)) {
  test(`${name}: a lone surrogate in any string is accepted or rejected without an exception`, () => {
    for (const raw of seeds.flatMap((seed) => [...halved(seed)]))
      assert.ok(['listing', 'rejected', 'deleted'].includes(adapt(raw).kind));
  });
}

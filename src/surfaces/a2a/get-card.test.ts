import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AgentCard } from '@a2a-js/sdk';
import { input, text } from '#test/handler-input.ts';
import { smallSkillStore } from '#test/small-skill-store.ts';
import { agentCards } from './card.ts';
import { getAgentCard } from './get-card.ts';

const cards = agentCards({ db: null as never, skills: smallSkillStore, base_url: 'https://capstan.example.com' });

test('200: one A2A 1.0 interface with security and skills, all valid in the protocol', async () => {
  const { body, media_type } = await text(getAgentCard({ cards })(input({})));
  assert.match(media_type, /^application\/json/);
  const card = JSON.parse(body);
  assert.deepEqual(card.supportedInterfaces, [
    { url: 'https://capstan.example.com/a2a/core-agent', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  ]);
  assert.deepEqual(card.capabilities, { streaming: true, pushNotifications: false, extendedAgentCard: true });
  assert.deepEqual(
    card.skills.map(({ id }: { id: string }) => id),
    ['find', 'run', 'own', 'skill:alone', 'skill:several'],
  );
  // Anything that the library does not know or parses differently would be lost.
  const read = AgentCard.toJSON(AgentCard.fromJSON(card)) as Record<string, unknown>;
  const { securityRequirements, ...same } = card;
  const { securityRequirements: requirements, ...others } = read;
  assert.deepEqual(others, same);
  assert.deepEqual(
    (requirements as { schemes: object }[]).map(({ schemes }) => Object.keys(schemes)),
    securityRequirements.map(({ schemes }: { schemes: object }) => Object.keys(schemes)),
  );
});

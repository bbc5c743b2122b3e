import type { Capstan } from '../../sdk/src/index.ts';
import { skillFiles } from '../publishing-stand.ts';
import type { Filling } from './filling.ts';
import { ADA, BOB, OPERATOR } from './people.ts';
import { rowsOf } from './stored-database.ts';

/** What operators decided, what was reported and appealed, what is claimed, featured, judged, run and scored. */
export async function fillMarketplace(filling: Filling): Promise<void> {
  const { program, client, until } = filling;
  if (!program.offers('marketplace.moderation.decide')) return;
  const [ada, operator, bob] = [client(ADA), client(OPERATOR), client()];
  await ada.signInWithWallet();
  await operator.signInWithWallet();
  await bob.signInWithEmail(BOB);
  await moderate(filling, { ada, operator, bob });
  await until('capability_links');
  await judge(filling, { ada, operator, bob });
  for (const table of ['capability_scores', 'proof_checks']) await until(table);
}

type People = Record<'ada' | 'operator' | 'bob', Capstan>;

async function moderate({ until }: Filling, { ada, operator, bob }: People): Promise<void> {
  const publish = async (name: string): Promise<string> => {
    const body = { name: `ada-lang/${name}`, version: '1.0.0', license: 'MIT', files: skillFiles(name) };
    const { id } = await ada.publishing.publish({ body });
    await until('capabilities', (row) => row.id === id);
    return id as string;
  };
  const decide = async (id: string, order: { decision: 'flag' | 'takedown'; kind: 'suspicious' | 'malware' }) => {
    const { revision } = await operator.moderation.get({ id });
    return operator.moderation.decide({ id, body: { reason: 'Looked at.', revision, ...order } });
  };
  const [odd, zebra] = [await publish('odd-words'), await publish('zebra-words')];
  await bob.moderation.report({ id: odd, body: { kind: 'malware', text: 'It phones home.' } });
  const { moderation } = await decide(odd, { decision: 'flag', kind: 'suspicious' });
  const measure_id = moderation.measures[0]?.id as string;
  await ada.moderation.appeal({ id: odd, body: { measure_id, text: 'It does not.' } });
  await decide(zebra, { decision: 'takedown', kind: 'malware' });
}

/** What two providers list, looked at by an operator, and something else that its author claims. */
async function judge({ database }: Filling, { ada, operator }: People): Promise<void> {
  const capabilities = await rowsOf(database, 'capabilities');
  const idOf = (externalId: string) =>
    capabilities.find((capability) => capability.external_id === externalId)?.stands_id as string;
  const id = idOf('io.github.harbour-example/tide-tables');
  await operator.featured.add({ id, body: { reason: 'It tells the tides.', position: 1 } });
  const claim = { method: 'repository_file', publisher: 'ada-lang' } as const;
  await ada.claims.create({ id: idOf('io.github.harbour-example/currents'), body: claim });
  const member = { provider: 'glama', external_id: 'harbour-example/tide-tables' } as const;
  await operator.identity.split({ id, body: { member, reason: 'A fork by somebody else.' } });
}

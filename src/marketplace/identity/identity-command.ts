import { parseArgs } from 'node:util';
import { isHot } from '#catalog/identity/blocking.ts';
import { capabilityOf } from '#catalog/identity/capabilities.ts';
import { capabilitiesById, countSharing, type Db, keysOfIds, linksAt } from '#catalog/identity/store.ts';
import type { CommandIo } from '#core/command-io.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import type { Database } from '#core/db/open.ts';
import { visible } from '#core/markdown/escape.ts';
import { identityOf } from './identity-of.ts';

/** `capstand identity`: the capability that a listing belongs to, the evidence, and the listing's blocking keys. */

export const IDENTITY_USAGE = `identity PROVIDER ID [--json]

  Prints the members of its capability with their evidence, rejected links, operator decisions, and its keys with
  the number of listings that share them. Exit code 3: the listing has not been linked.`;

type Io = Pick<CommandIo, 'stdout' | 'stderr'>;

/** Returns the exit code. */
export async function identityCommand(
  argv: string[],
  io: Io,
  { db, engine }: Pick<Database, 'db' | 'engine'>,
): Promise<number> {
  const options = { json: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args: argv, allowPositionals: true, options });
  const [provider, externalId] = positionals;
  if (provider === undefined || externalId === undefined || positionals.length > 2) {
    io.stderr.write(`usage: capstand ${IDENTITY_USAGE}\n`);
    return 2;
  }
  const connection = connectionOver(db, engine);
  const row = await capabilityOf(connection, provider, externalId);
  if (row === null) {
    io.stderr.write(`capstand identity: unknown listing ${provider} ${externalId}; ids are case-sensitive.\n`);
    return 3;
  }
  const { id, stands_id, is_live } = row;
  const found = { capability_id: id, is_live: is_live === 1, ...(await identityOf(connection, stands_id)) };
  const whole = { ...found, apart: await linkedApart(connection, id, stands_id), keys: await keysOf(connection, id) };
  io.stdout.write(values.json ? `${JSON.stringify(whole)}\n` : shown(whole));
  return 0;
}

/** Linked listings that are in another group because members of the two groups are kept apart. */
async function linkedApart(db: Db, id: string, standsId: string) {
  const links = await linksAt(db, [id]);
  const others = await capabilitiesById(
    db,
    links.map(({ a_id, b_id }) => (a_id === id ? b_id : a_id)),
  );
  return others
    .filter((other) => other.stands_id !== standsId)
    .map(({ provider_id, external_id }) => ({ provider: provider_id, external_id }));
}

async function keysOf(db: Db, id: string) {
  const own = (await keysOfIds(db, [id])).map(({ key }) => key);
  const counts = Map.groupBy(await countSharing(db, own), ({ key }) => key);
  return own.sort().map((key) => {
    const sharing = (counts.get(key) ?? []).reduce((sum, { count }) => sum + Number(count), 0);
    return { key, sharing, is_hot: isHot(key, sharing) };
  });
}

type Shown = { capability_id: string; is_live: boolean } & Awaited<ReturnType<typeof identityOf>> & {
    apart: { provider: string; external_id: string }[];
    keys: Awaited<ReturnType<typeof keysOf>>;
  };

const MAX_CHARS = 120;

function plain(text: string): string {
  return visible(text).slice(0, MAX_CHARS);
}

function shown({ capability_id, id, is_live, members, apart, history, keys }: Shown): string {
  const lines = [
    `capability ${id}${capability_id === id ? '' : ` (its own id is ${capability_id})`}${is_live ? '' : ', listing removed'}`,
  ];
  for (const { provider, external_id, confidence, because } of members) {
    lines.push(`  ${provider} ${plain(external_id)}  ${confidence}`);
    for (const reason of because)
      lines.push(
        `    with ${reason.with.provider} ${plain(reason.with.external_id)}: ${[...reason.evidence, ...reason.against.map((no) => ({ ...no, kind: `not ${no.kind}` }))].map((why) => `${why.kind} ${plain(why.value)}`).join('; ')}`,
      );
  }
  for (const { provider, external_id } of apart)
    lines.push(`  linked, but kept separate: ${provider} ${plain(external_id)}`);
  for (const { is_same, listings, reason, at } of history)
    lines.push(
      `  ${at} ${is_same ? 'merged' : 'split'} ${listings.map((ref) => `${ref.provider} ${plain(ref.external_id)}`).join(' and ')}: ${plain(reason)}`,
    );
  for (const { key, sharing, is_hot } of keys)
    lines.push(`  key ${plain(key)}  ${sharing}${is_hot ? ', too many to be evidence' : ''}`);
  return `${lines.join('\n')}\n`;
}

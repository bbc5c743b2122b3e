import { sep } from 'node:path';
import { installsOf, slugOf } from '../../../src/catalog/install/client-installs.ts';
import { wantedHosts } from '../../../src/core/mcp/packaged-servers.ts';
import type { PackageTarget } from '../../../src/core/mcp/target.ts';
import type { LeftOut } from '../../../src/core/mcp/tool-listing.ts';
import type { Context } from '../context.ts';
import { EXIT, Failure } from '../failure.ts';
import { carryOut } from '../install/carry-out.ts';
import type { Done } from '../install/done.ts';
import { sha256Of, writeText } from '../install/files.ts';
import { planEntries } from '../install/install-server.ts';
import { renew } from '../install/journal.ts';
import { localServers } from '../profile.ts';
import { VERSION } from '../version.ts';
import type { World } from '../world.ts';
import { withDeclared } from './declared-settings.ts';
import { explained } from './explain.ts';
import { hostAdvice, type PreparedServer, startBox, stepsOf, withPrepared } from './prepare.ts';
import { serverOf } from './server-of.ts';
import { findServer, type StoredServer, serverFile, serverText, writeServer } from './servers.ts';
import { type GivenStart, targetOf } from './values.ts';

/**
 * `capstan connect --local`: prepares a package, starts it once to see that it works, and writes an entry into clients that starts
 * it in a box of this machine.
 */

interface LocalConnectAsked extends GivenStart {
  server: string;
  package: number | undefined;
  client: readonly string[];
  project: boolean;
  name: string | undefined;
  force: boolean;
  dryRun: boolean;
}

export interface LocalConnection extends Done {
  name: string;
  package: { purl: string; lock_sha256: string; tree_sha256: string };
  isolation: string;
  tools: string[];
  /** Tools whose definition breaks the protocol. */
  left_out: LeftOut;
  /** Hosts that it may reach, and those that it asked for. */
  hosts: readonly string[];
  wanted_hosts: string[];
}

interface Tried {
  stored: StoredServer;
  isolation: string;
  tools: string[];
  left_out: LeftOut;
  wanted_hosts: string[];
}

export const connectLocal = (context: Context, asked: LocalConnectAsked): Promise<LocalConnection> =>
  explained(async () => {
    const { world } = context;
    const { server: listed, config } = await serverOf(context, asked.server, asked.package);
    const name = slugOf(asked.name ?? listed.name) || 'server';
    const known = await findServer(world, name);
    if (known !== null && known.ref !== asked.server && !asked.force) throw nameTaken(known);
    const { command, args } = programOf(world);
    const clients = installsOf(name, { command, args: [...args, 'serve-local', name], ...environmentOf(world) });
    // Where no client can be written to, nothing is fetched.
    const chosen = { client: [...asked.client], project: asked.project, force: asked.force };
    const plan = await planEntries(world, clients, name, chosen);
    const server = await withDeclared(context, listed, config);
    let target = await targetOf(context, server, asked);
    const { npm_registry, pypi_index, oci_registries, registry_aliases } = config;
    const tried = await context.during(server.name, (tell) => {
      const on_step = stepsOf(server.name, tell);
      return withPrepared(context, { config, target, on_step }, async (prepared): Promise<Tried> => {
        const seen = await tryOnce(context, prepared, target, on_step);
        target = seen.target;
        const { ref, lock_sha256, tree_sha256 } = prepared.prepared;
        const stored: StoredServer = {
          name,
          ref: asked.server,
          listing: server.listing,
          version: server.version,
          target: { ...target, package: exact(target.package, ref) },
          purl: ref.purl,
          lock_sha256,
          tree_sha256,
          registries: { npm_registry, pypi_index, oci_registries, registry_aliases },
          connected_at: new Date().toISOString(),
        };
        const { tools, left_out, wanted_hosts } = seen;
        return { stored, isolation: prepared.runtime.isolation, tools, left_out, wanted_hosts };
      });
    });
    const { stored, isolation, tools, left_out, wanted_hosts } = tried;
    const folder = localServers(world);
    const file = { path: serverFile(name), sha256: sha256Of(Buffer.from(serverText(stored))) };
    const record = { kind: 'files' as const, folder, files: [file] };
    const done = await carryOut(
      { world, url: '' },
      { text: asked.server, dryRun: asked.dryRun },
      { steps: plan.steps, changes: plan.changes.length === 0 ? [] : [record, ...plan.changes] },
      (change) => (change.kind === 'files' ? writeServer(world, stored) : writeText(change.file, change.after)),
    );
    // The entries were there before; what they start may be newer.
    if (plan.changes.length === 0 && !asked.dryRun) {
      await writeServer(world, stored);
      await renew(world, folder, file);
    }
    const { purl, lock_sha256, tree_sha256 } = stored;
    return {
      ...done,
      name,
      package: { purl, lock_sha256, tree_sha256 },
      isolation,
      tools,
      left_out,
      hosts: target.hosts,
      wanted_hosts,
    };
  });

const nameTaken = ({ name, ref }: StoredServer): Failure =>
  new Failure('cli.exists', `Another server is connected as ${name}: ${ref}.`, {
    exit_code: EXIT.conflict,
    fix: 'Choose another name with --name, or replace it with --force. Nothing was written.',
  });

/** A digest of an image is part of its name. */
const exact = (
  source: PackageTarget['package'],
  { ecosystem, name, version }: PreparedServer['prepared']['ref'],
): PackageTarget['package'] =>
  ecosystem === 'oci' ? { ...source, identifier: `${name}@${version}`, version: '' } : { ...source, version };

const LIST_MS = 60_000;
const MOST_BYTES = 16 * 1_048_576;

interface Seen {
  target: PackageTarget;
  tools: string[];
  left_out: LeftOut;
  wanted_hosts: string[];
}

/** Where it fails for hosts that it may not reach, a person is asked whether it may. */
async function tryOnce(
  context: Context,
  prepared: PreparedServer,
  target: PackageTarget,
  on_step: Parameters<typeof startBox>[2]['on_step'],
): Promise<Seen> {
  const { signal } = context.world;
  const opened = await startBox(prepared, target, { signal, on_step });
  if (!opened.ok) {
    const wanted = wantedHosts(opened.facts.hosts);
    if (opened.failure.reason === 'wants_network' && (await isGranted(context, wanted)))
      return tryOnce(context, prepared, { ...target, hosts: [...new Set([...target.hosts, ...wanted])] }, on_step);
    throw failed(opened.failure.reason, opened.failure.detail, hostAdvice(opened.facts.hosts));
  }
  const { session, explained: explain, facts } = opened.box;
  const answer = await session.work({ timeout_ms: LIST_MS, max_bytes: MOST_BYTES }, signal, (mcp) => mcp.listTools());
  const { hosts } = facts();
  await session.close();
  if (!answer.ok) {
    const { reason, detail } = explain(answer.failure);
    throw failed(reason, detail, hostAdvice(hosts));
  }
  return {
    target,
    tools: answer.value.tools.map(({ name }) => name),
    left_out: answer.value.left_out,
    wanted_hosts: wantedHosts(hosts),
  };
}

async function isGranted({ isAsking, ask }: Context, hosts: readonly string[]): Promise<boolean> {
  if (!isAsking || hosts.length === 0) return false;
  const answer = await ask(`The server asked for ${hosts.join(', ')}. Let it reach them? [y/N]`, '--host');
  return /^y(es)?$/i.test(answer);
}

const failed = (reason: string, detail: string, advice: string): Failure =>
  new Failure(`server.${reason}`, `${detail.charAt(0).toUpperCase()}${detail.slice(1)}. Nothing was written.`, {
    fix: advice === '' ? 'Check the values of --var and --secret.' : `To allow these hosts: ${advice}`,
  });

/** How a client starts this program: by its own path, or by npx where the path is one of npx's, which go away. */
function programOf({ program }: World): { command: string; args: string[] } {
  const [node, script] = program;
  if (script.split(sep).includes('_npx')) return { command: 'npx', args: ['-y', `@capstan/cli@${VERSION}`] };
  return { command: node, args: [script] };
}

const FOLDERS = ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'];

/** Where the user keeps files elsewhere, the client has to say so. */
function environmentOf({ env }: World): { env?: Record<string, string> } {
  const set = FOLDERS.flatMap((name) => (env[name] ? [[name, env[name]] as const] : []));
  return set.length === 0 ? {} : { env: Object.fromEntries(set) };
}

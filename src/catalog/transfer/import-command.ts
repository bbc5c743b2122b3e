import { OPERATOR_CLI, recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { CommandIo } from '#core/command-io.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { Problem } from '#core/problem/problem.ts';
import { type ImportDeps, type ImportResult, importListings } from './import.ts';
import { openSource, unreadable } from './import-source.ts';
import { createProgress } from './progress.ts';

/** `capstand import FILE|URL|-`: exits with 0 if anything was imported, 1 if nothing was, and 2 for wrong usage. */
export async function importCommand(
  argv: readonly string[],
  io: CommandIo,
  deps: Omit<ImportDeps, 'onProgress'> & { fetch: OutboundFetch },
): Promise<number> {
  const [name, ...more] = argv;
  if (name === undefined || more.length > 0 || (name.startsWith('-') && name !== '-')) {
    io.stderr.write('usage: capstand import FILE|URL|-\n');
    return 2;
  }
  const source = await openSource(name, io.stdin, deps.fetch);
  const progress = createProgress(io.stderr, source.size);
  try {
    const result = await importListings(progress.watch(source.bytes), {
      ...deps,
      onProgress: (importResult) => progress.show(importResult.good),
    });
    progress.end();
    report(io, result);
    const { good, bad, added, updated } = result;
    await recordAudit(
      deps.db,
      { actor: OPERATOR_CLI, action: 'registry.import', target: 'listings', detail: { good, bad, added, updated } },
      isoTime(deps.clock.now()),
    );
    return result.good > 0 ? 0 : 1;
  } catch (error) {
    progress.end();
    throw explained(error, name);
  }
}

function report({ stderr, stdout }: CommandIo, { good, bad, bad_lines, added, updated, lacking }: ImportResult): void {
  for (const { line, reason } of bad_lines) stderr.write(`line ${line}: ${reason}\n`);
  if (bad > bad_lines.length) stderr.write(`… and ${bad - bad_lines.length} more invalid lines\n`);
  const unchanged = good - added - updated;
  stdout.write(
    `${good} listings read: ${added} added, ${updated} updated, ${unchanged} unchanged; ${bad} invalid lines\n`,
  );
  if (lacking.install > 0)
    stdout.write(`${lacking.install} of them have no install data, so they cannot be run until a sync adds it\n`);
  if (lacking.documents > 0) stdout.write(`${lacking.documents} of them have neither README nor SKILL.md\n`);
  if (lacking.facts > 0)
    stdout.write(
      `${lacking.facts} of them have no title, icons, versions or tools; a sync or an export by a newer version adds them\n`,
    );
}

/** Explains a source that was cut off or is not valid gzip. Lines read before stay imported. */
function explained(error: unknown, name: string): unknown {
  const code = String((error as { code?: unknown }).code ?? '');
  if (error instanceof Problem || !/^(Z_|E[A-Z]+$)/.test(code)) return error;
  return unreadable(`Cannot read all of ${name} (${code}). The lines before that were imported.`, error);
}

import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#core/clock/clock.ts';
import type { Log } from '#core/log.ts';
import { messageOf, type SendMail } from './message.ts';

export interface OutboxOptions {
  /** An absolute path; files are written to its folder `outbox`. */
  data_dir: string;
  from: string;
  clock: Clock;
  log: Log;
}

/**
 * Without a mail server, each email becomes a file that mail programs can open. Only this user may read it, because it
 * contains a link.
 */
/** No link is valid for that long. */
const KEPT_MS = 30 * 86_400_000;

async function removeOld(dir: string, beforeMs: number): Promise<void> {
  for (const name of await readdir(dir)) {
    const file = join(dir, name);
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < beforeMs) await rm(file, { force: true });
  }
}

export function outboxMail({ data_dir, from, clock, log }: OutboxOptions): SendMail {
  const dir = join(data_dir, 'outbox');
  return async (mail, id) => {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    const file = join(dir, `${id}.eml`);
    // Renamed when complete, so that a program that watches the folder never reads a partial email.
    await writeFile(`${file}.part`, messageOf(mail, { from, id, now_ms: clock.now() }), { mode: 0o600 });
    await rename(`${file}.part`, file);
    await removeOld(dir, clock.now() - KEPT_MS);
    log.info({ file }, 'no mail server configured (CAPSTAN_SMTP_URL); email written to a file');
  };
}

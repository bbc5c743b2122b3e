import type { Problem } from '#core/problem/problem.ts';
import {
  accessDenied,
  dependencyTooNew,
  fileHostForbidden,
  hashMismatch,
  installFailed,
  notFound,
  registryUnavailable,
  shown,
  sourceForbidden,
} from './errors.ts';
import type { InstallResult } from './install-box.ts';
import { isObject, jsonObject } from './npm-registry.ts';

/** Converts npm's `--json` error to a Problem. */

const AWAY =
  /^(?:ECONN\w+|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ERR_SOCKET_TIMEOUT|FETCH_ERROR|E5\d\d|E429|CERT_\w+|UNABLE_TO_\w+|SELF_SIGNED\w*|DEPTH_ZERO\w*)$/;

export function npmFailure(
  { stdout, stderr, refused }: InstallResult,
  what: string,
  host: string,
  min_age_ms: number,
): Problem {
  const { code, summary } = errorOf(stdout) ?? { code: '', summary: lastLine(stderr) };
  if (code === 'EINTEGRITY') {
    const [, expected = 'another hash', found = 'unknown'] =
      /wanted (\S+) but got (\S+?)\.?(?:\s|$)/.exec(summary.slice(0, 2_000)) ?? [];
    return hashMismatch(`A file of ${what.replace(/^The /, 'the ')}`, expected, found);
  }
  if (/^EALLOW/.test(code)) return sourceForbidden(`A dependency of ${what}`, 'a Git repository, a URL or a directory');
  if (code === 'E404') return notFound(`A dependency of ${what}`, shown(summary.split('\n')[0] ?? '', 200));
  if (code === 'ETARGET' && summary.includes('with a date before'))
    return dependencyTooNew(`A dependency of ${what} (${targetOf(summary)})`, min_age_ms);
  if (code === 'ETARGET') return notFound(`A dependency of ${what} (${targetOf(summary)})`, 'Choose another version.');
  if (code === 'E401' || code === 'E403') return accessDenied(`a dependency of ${what}`, 'CAPSTAN_NPMRC');
  const [elsewhere] = refused;
  if (elsewhere !== undefined) return fileHostForbidden(what, elsewhere);
  if (AWAY.test(code)) return registryUnavailable(host, code);
  return installFailed(what, `npm reported ${code === '' ? '' : `${code}: `}${summary || 'no reason'}`);
}

function errorOf(stdout: string): { code: string; summary: string } | null {
  const error = jsonObject(stdout)?.error;
  if (!isObject(error)) return null;
  const summary = [error.summary, error.detail].filter((part) => typeof part === 'string').join('\n');
  return { code: typeof error.code === 'string' ? error.code : '', summary };
}

const targetOf = (summary: string): string => /for (\S+)/.exec(summary.slice(0, 500))?.[1] ?? 'unknown';

export const lastLine = (text: string): string => shown(text.slice(-4_000).trimEnd().split('\n').at(-1) ?? '', 300);

import type { Problem } from '#core/problem/problem.ts';
import {
  accessDenied,
  fileHostForbidden,
  hashMismatch,
  installFailed,
  needsBuild,
  registryUnavailable,
  shown,
  wantsPython,
} from './errors.ts';
import type { InstallResult } from './install-box.ts';
import { lastLine } from './npm-failure.ts';

const MOST_SEARCHED = 100_000;

/** Converts pip's output to a Problem. pip has no machine-readable errors. */
export function pipFailure(
  { stdout, stderr, refused }: InstallResult,
  { what, host, python }: { what: string; host: string; python: string },
): Problem {
  const text = `${stdout}\n${stderr}`.slice(-MOST_SEARCHED);
  const line = (part: string): string => text.split('\n').find((each) => each.includes(part)) ?? '';
  if (text.includes('DO NOT MATCH THE HASHES')) {
    const [expected = '', found = ''] = ['Expected sha256', 'Got'].map(
      (part) => line(part).trim().split(/\s+/).at(-1) ?? '',
    );
    return hashMismatch(`A file of ${what.replace(/^The /, 'the ')}`, expected, found);
  }
  const [elsewhere] = refused;
  if (elsewhere !== undefined) return fileHostForbidden(what, elsewhere);
  if (
    /NewConnectionError|Max retries exceeded|ConnectionResetError|ReadTimeout|ConnectTimeout|Temporary failure in name/.test(
      text,
    )
  )
    return registryUnavailable(host, 'no response');
  if (/\b40[13] (?:Client Error|Forbidden|Unauthorized)|User for \S+:/.test(text))
    return accessDenied(`a file of ${what}`, 'CAPSTAN_PYPI_NETRC');
  const missing = line('No matching distribution found for');
  const different = line('requires a different Python') || line('require a different python version');
  if (different !== '' && missing !== '') return wantsPython(what, pythonOf(different), python);
  if (missing !== '' && text.includes('(from versions: none)'))
    return needsBuild(`"${shown(missing.split('found for ').at(-1) ?? '', 100)}", required by ${what},`);
  return installFailed(what, `pip reported ${errorLine(text) || lastLine(stderr) || 'no reason'}`);
}

/** `Requires-Python >=3.13` at the end of pip's notice. */
const pythonOf = (line: string): string =>
  /Requires-Python ([^\s;]+)/.exec(line.slice(0, 2_000))?.[1] ?? 'another version';

function errorLine(text: string): string {
  const found = text.split('\n').findLast((line) => line.startsWith('ERROR: '));
  return shown(found?.slice('ERROR: '.length) ?? '', 300);
}

import { createHash, timingSafeEqual } from 'node:crypto';
import { coreProblem } from '#core/errors.ts';
import type { Input } from '#core/http/operation.ts';
import type { Problem } from '#core/problem/problem.ts';

/** Decides who may read metrics: clients with the token, or, if none is configured, clients on this host. */

type MetricsRequest = Pick<Input, 'address' | 'headers'>;

/** Throws `metrics.token_required` or `http.forbidden` (`metrics`). */
export function checkMayRead({ address, headers }: MetricsRequest, token: string | null): void {
  if (token === null) {
    if (!isLocal(address, headers)) throw elsewhere();
    return;
  }
  const [, given] = /^Bearer +(\S+)$/i.exec(`${headers.authorization ?? ''}`) ?? [];
  if (given === undefined || !timingSafeEqual(hashed(given), hashed(token))) throw tokenWrong();
}

const LOOPBACK = /^(?:(?:::ffff:)?127\.\d+\.\d+\.\d+|::1)$/;
const LOOPBACK_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/i;
/** A local proxy forwards requests of others, and a browser sends requests of any web page. */
const FOR_OTHERS = ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via', 'origin'];

const isLocal = (address: string, headers: MetricsRequest['headers']): boolean =>
  LOOPBACK.test(address) &&
  LOOPBACK_HOST.test(`${headers.host ?? ''}`) &&
  FOR_OTHERS.every((name) => headers[name] === undefined);

const hashed = (text: string): Buffer => createHash('sha256').update(text).digest();

const tokenWrong = (): Problem =>
  coreProblem('metrics.token_required', 'Metrics require a bearer token.', {
    headers: { 'www-authenticate': 'Bearer realm="metrics"' },
  });

const elsewhere = (): Problem =>
  coreProblem('http.forbidden', 'Without CAPSTAN_METRICS_TOKEN, metrics are available to loopback clients only.', {
    reason: 'metrics',
  });

import type { ProviderId } from '#catalog/items/kinds.ts';
import { MOST_VERDICTS, type Verdict, type VerdictName } from '#catalog/items/verdicts.ts';
import { text, time } from './adapt-fields.ts';
import { member } from './adapt-record.ts';

/** Reads the provider's verdicts from a record of any shape. Verdicts that a provider does not send are not guessed. Pure. */

const MOST_DETAIL = 500;

export const verdictsOf = (provider: ProviderId, record: unknown): Verdict[] =>
  (READERS[provider]?.(record) ?? []).slice(0, MOST_VERDICTS);

const say = (verdict: VerdictName, detail: unknown, at: unknown = null): Verdict => ({
  verdict,
  detail: text(detail, MOST_DETAIL),
  at: time(at),
});

const READERS: Partial<Record<ProviderId, (record: unknown) => Verdict[]>> = {
  clawhub: (record) => [...clawhubScan(record), ...clawhubTier(record)],
  smithery: (record) => [
    ...(member(record, 'verified') === true ? [say('verified', 'Verified by Smithery.')] : []),
    ...(member(record, 'bySmithery') === true ? [say('official', 'Maintained by Smithery.')] : []),
    ...(member(member(record, 'security'), 'scanPassed') === false
      ? [say('suspicious', 'Failed Smithery’s security scan.')]
      : []),
    ...rated('Score', member(record, 'score')),
    ...rated('Quality score', member(record, 'qualityScore')),
  ],
  glama: (record) => [
    ...healthOf(member(record, 'healthy')),
    ...deprecation(member(record, 'deprecatedAt')),
    ...(listOf(member(record, 'attributes')).includes('author:official')
      ? [say('official', 'Marked by Glama as published by its author.')]
      : []),
  ],
  'mcp-registry': (record) => {
    const status = member(record, 'status');
    const [message, at] = [member(record, 'statusMessage'), member(record, 'statusChangedAt')];
    return status === 'deprecated' ? [say('deprecated', message, at)] : [];
  },
  'gemini-extensions': (record) =>
    member(record, 'isGoogleOwned') === true ? [say('official', 'Marked by the gallery as owned by Google.')] : [],
};

/** The results of ClawHub's scanner and moderators, in all places where it sends them. */
function clawhubScan(record: unknown): Verdict[] {
  const moderation = member(record, 'moderation');
  const results = [
    member(moderation, 'verdict'),
    member(member(record, 'trust'), 'scanStatus'),
    member(member(record, 'security'), 'status'),
  ];
  const detail = text(member(moderation, 'summary'), MOST_DETAIL) || codesOf(member(moderation, 'reasonCodes'));
  const at = member(moderation, 'updatedAt');
  const is = (name: string) => [record, moderation].some((part) => member(part, name) === true);
  if (is('isMalwareBlocked') || results.includes('malicious'))
    return [say('malicious', detail || 'Blocked as malware.', at)];
  if (is('isSuspicious') || results.includes('suspicious'))
    return [say('suspicious', detail || 'Marked as suspicious.', at)];
  return results.includes('clean') ? [say('clean', detail || 'The scan found nothing.', at)] : [];
}

const codesOf = (codes: unknown): string => listOf(codes).slice(0, 10).join(', ');

function clawhubTier(record: unknown): Verdict[] {
  const tier = member(record, 'verificationTier') ?? member(member(record, 'verification'), 'tier');
  return [
    ...(member(record, 'isOfficial') === true ? [say('official', 'Marked by ClawHub as official.')] : []),
    ...(typeof tier === 'string' && tier !== ''
      ? [say(PROVEN_TIERS.has(tier) ? 'verified' : 'rated', `Verification tier: ${tier}.`)]
      : []),
  ];
}
const PROVEN_TIERS = new Set(['provenance-verified', 'rebuild-verified']);

const rated = (what: string, value: unknown): Verdict[] =>
  typeof value === 'number' && Number.isFinite(value) ? [say('rated', `${what} ${value}.`)] : [];

const healthOf = (healthy: unknown): Verdict[] =>
  typeof healthy === 'boolean' ? [say(healthy ? 'healthy' : 'unhealthy', 'Last checked by Glama.')] : [];

const deprecation = (at: unknown): Verdict[] => (time(at) === null ? [] : [say('deprecated', '', at)]);

const listOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];

import { fold } from '#catalog/changes/fold.ts';
import { accountOf, domainLabel } from '#catalog/identity/normalize.ts';
import { builtInName } from '#catalog/items/own-listings.ts';
import { RANKING } from '../ranking.ts';
import { ownName, tokenize } from '../text/tokenize.ts';
import type { CapabilityDocument, ShownCapability } from './document.ts';
import { type Quantiles, quantileOf } from './prior.ts';

/**
 * Signs of being what a name says that are costly to fake. Anyone can take a name, so an exact name alone does not place a result first.
 * This part needs nothing but the capability; `isMuchUsed` compares it with others.
 */
export const hasCostlySignal = (wire: ShownCapability): boolean =>
  builtInName(wire.id) !== null || wire.verification.level === 'used' || isReviewed(wire) || isNamedAfterAccount(wire);

/** Lists whose maintainers review each entry. */
export const isReviewed = ({ sources }: ShownCapability): boolean =>
  sources.some(
    ({ provider, external_id }) =>
      provider === 'docker' || (provider === 'claude-plugins' && external_id.endsWith('@claude-plugins-official')),
  );

/** Providers that give the account or domain in an id to its holder alone. */
const VERIFYING: ReadonlySet<string> = new Set(['mcp-registry', 'skills-sh', 'gemini-extensions']);

/**
 * Whether its name has the name of the verified account or domain that lists it, as `com.stripe/stripe-mcp` has. A publisher that has
 * proved its repository counts as a verified account.
 */
function isNamedAfterAccount({ name, sources, publisher }: ShownCapability): boolean {
  const words = tokenize(ownName(name));
  const isProven = publisher !== null && publisher.by !== 'published';
  return sources.some(({ provider, external_id }) => {
    const account = VERIFYING.has(provider) || isProven ? accountOf(provider, external_id) : null;
    if (account === null) return false;
    const own = account.includes('.') ? domainLabel(external_id) : account;
    const plain = fold(own).replace(/[^\p{L}\p{N}]/gu, '');
    return plain.length >= LEAST_ACCOUNT && hasJoinedWords(words, plain);
  });
}

/** Shorter accounts are in too many names. */
const LEAST_ACCOUNT = 3;

/** Whether neighbouring words of a name, written as one, are the account. */
function hasJoinedWords(words: readonly string[], account: string): boolean {
  for (let from = 0; from < words.length; from++) {
    let joined = '';
    for (let at = from; at < words.length && joined.length < account.length; at++) joined += words[at];
    if (joined === account) return true;
  }
  return false;
}

/** Whether its downloads are among the highest of a provider. Stars are no signal: any repository can be named. */
export const isMuchUsed = (used: CapabilityDocument['used'], quantiles: Quantiles): boolean =>
  used.some(
    ({ provider, downloads }) => quantileOf(quantiles, `${provider} downloads`, downloads) >= RANKING.much_used,
  );

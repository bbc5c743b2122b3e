/** Whose an id of a provider's is, as far as ids tell. Pure. */

/** Ids that begin with an account at a host of code. */
const FORMS: Record<string, RegExp> = {
  'mcp-registry': /^io\.git(?:hub|lab)\.([^/]+)\//i,
  glama: /^@?([^/]+)\//,
  smithery: /^@?([^/]+)\//,
};

/**
 * `io.github.ana/…` and `@ana/…` are `ana`'s. Of a domain, which the official registry has checked, its own label must
 * begin as the account does: `com.ana` is taken for `ana-labs`.
 */
export function isOfAccount(provider_id: string, external_id: string, owner: string): boolean {
  const account = FORMS[provider_id]?.exec(external_id)?.[1];
  if (account !== undefined) return account.toLowerCase() === owner;
  if (provider_id !== 'mcp-registry') return false;
  const [label, other] = [plain(ownLabel(external_id)), plain(owner)];
  return label.length > 2 && other.length > 2 && (label.startsWith(other) || other.startsWith(label));
}

/** `com.ana.mcp/…` and `uk.co.ana/…` are of `ana`; what stands further in anybody can name as they like. */
function ownLabel(external_id: string): string {
  const labels = (external_id.split('/', 1)[0] as string).toLowerCase().split('.');
  const is_second_level = labels.length > 2 && /^(?:com?|org|net|ac)$/.test(labels[1] as string);
  return labels[is_second_level ? 2 : 1] ?? '';
}

const plain = (account: string): string => account.replace(/[^a-z0-9]/g, '');

/** What ids begin with elsewhere, where a provider reads who it is. */
const ALSO: Record<string, RegExp> = {
  clawhub: /^@?([^/]+)\//,
  'gemini-extensions': /^([^/]+)\//,
  'skills-sh': /^([^/]+)\/[^/]+\//,
};

/**
 * The account that a provider lets an id begin with only for whoever has it, lower case: of the official registry a domain
 * too. Null where ids say nothing of that.
 */
export function accountOf(provider_id: string, external_id: string): string | null {
  const account = (FORMS[provider_id] ?? ALSO[provider_id])?.exec(external_id)?.[1];
  if (account !== undefined) return account.toLowerCase();
  return provider_id === 'mcp-registry' ? (external_id.split('/', 1)[0] as string).toLowerCase() : null;
}

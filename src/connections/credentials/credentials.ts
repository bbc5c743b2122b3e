import type { Credentials, OAuth, Vault } from '#connections/connections/seams.ts';

/** Combines stored credentials and OAuth tokens; the only place that does. */
export const joinCredentials = (vault: Vault, oauth: OAuth): Credentials => ({
  open: async (connection) => {
    const carried = await vault.open(connection);
    if (connection.auth.type !== 'oauth') return { ...carried, token_version: null };
    const { token, version, secrets } = await oauth.accessToken(connection);
    return {
      url: carried.url,
      headers: { ...carried.headers, authorization: `Bearer ${token}` },
      package: carried.package,
      version: `${carried.version} ${version}`,
      token_version: version,
      secrets: [...carried.secrets, ...secrets],
    };
  },
  refused: async (connection, challenge) =>
    connection.auth.type === 'oauth' ? oauth.refreshOrRequire(connection, challenge) : 'sign_in',
});

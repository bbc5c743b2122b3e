import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { defined } from '#core/defined.ts';

/** The official client's view of one authorization. Results stay in `leg` until the caller stores them. */

export interface Leg {
  discovery: OAuthDiscoveryState;
  /** Our client at the issuer; undefined makes the official client use our document or register. */
  client: StoredOAuthClientInformation | undefined;
  verifier?: string;
  authorization_url?: URL;
  tokens?: StoredOAuthTokens;
}

interface ProviderOptions {
  leg: Leg;
  redirect_uri: string;
  metadata: OAuthClientMetadata;
  metadata_url: string | null;
  state: string;
  /** For servers without resource metadata. */
  resource: string;
}

export function signInProvider(options: ProviderOptions): OAuthClientProvider {
  const { leg, redirect_uri, metadata, metadata_url, state, resource } = options;
  const isSilent = leg.discovery.resourceMetadata === undefined;
  return {
    redirectUrl: redirect_uri,
    clientMetadata: metadata,
    ...defined({
      clientMetadataUrl: metadata_url ?? undefined,
      validateResourceURL: isSilent ? async () => new URL(resource) : undefined,
    }),
    state: () => state,
    discoveryState: () => leg.discovery,
    saveDiscoveryState: () => {},
    clientInformation: () => leg.client,
    saveClientInformation: (client) => {
      leg.client = client;
    },
    // Old tokens are ignored: an authorization issues new ones.
    tokens: () => undefined,
    saveTokens: (tokens) => {
      leg.tokens = tokens;
    },
    redirectToAuthorization: (url) => {
      leg.authorization_url = url;
    },
    saveCodeVerifier: (verifier) => {
      leg.verifier = verifier;
    },
    codeVerifier: () => leg.verifier ?? '',
  };
}

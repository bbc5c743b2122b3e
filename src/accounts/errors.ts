import { type ErrorTable, problemOf } from '#core/problem/error-table.ts';

/** The error codes of this wing. Their pages, `docs/errors`, are generated from here: `npm run capstand -- schema --write`. */
export const ACCOUNTS_ERRORS = {
  'auth.credentials_invalid': {
    kind: 'unauthenticated',
    title: 'Incorrect email address or password.',
    why:
      'Unknown addresses return the same response after the same time, so that accounts cannot be enumerated. A ' +
      'confirmation link also requires the password chosen for the address; after this error, the link can still ' +
      'be used.',
    fix:
      'Check both and try again. After ten failures in an hour for one address, the response is ' +
      '`auth.limit_exceeded`. To reset the password, use `POST /api/auth/email/reset/request`.',
    example: { detail: 'Incorrect email address or password.' },
    aliases: ['auth.bad_credentials'],
  },
  'auth.email_link_invalid': {
    kind: 'unauthenticated',
    title: 'The emailed link cannot be used.',
    why:
      'Each link works once and for a limited time. A newer link, or a change of the password, invalidates ' +
      'earlier ones.',
    fix: 'Request a new email: register again, or use `POST /api/auth/email/reset/request`.',
    example: { detail: 'This link has expired. Request a new email.', reason: 'expired' },
    reasons: {
      expired: {
        why:
          'The emailed link has expired. Confirmation links are valid for 24 hours, password reset and sign-in ' +
          'links for one hour.',
        fix: 'Request a new email: register again, or use `POST /api/auth/email/reset/request`.',
        aliases: ['auth.mail_link_expired'],
      },
      unknown: {
        why:
          'Unknown or invalid emailed link. The link may be truncated, belong to another installation or another ' +
          'purpose, or have expired more than a day ago. Reset links stop working when the address is removed ' +
          'from its account.',
        fix: 'Copy the whole link, or request a new email.',
        aliases: ['auth.mail_link_unknown'],
      },
      used: {
        why:
          'The emailed link was already used or was replaced by a newer one. Each link works once. Using a link, ' +
          'or changing the password, invalidates earlier links to the same address.',
        fix: 'If you used the link, sign in. Otherwise request a new email.',
        aliases: ['auth.mail_link_used'],
      },
    },
  },
  'auth.google_denied': {
    kind: 'forbidden',
    title: 'You declined the Google sign-in.',
    why: 'Consent was cancelled at Google, or an administrator of the Google account does not allow it.',
    fix: 'Start again with `POST /api/auth/google/start`, or use another sign-in method.',
    example: { detail: 'You declined the Google sign-in. Try again.' },
  },
  'auth.google_failed': {
    kind: 'upstream_failed',
    title: 'The Google sign-in failed.',
    why:
      'Google returned an error or an invalid OpenID Connect response. The usual cause is a client ID, client ' +
      'secret or redirect URI that does not match the registration at Google.',
    fix:
      'Try again. If it keeps failing, the operator should compare `CAPSTAN_GOOGLE_CLIENT_ID`, ' +
      '`CAPSTAN_GOOGLE_CLIENT_SECRET` and `CAPSTAN_GOOGLE_ISSUER` with the registration. The redirect URI is the ' +
      'public URL of the service followed by `/api/auth/google/callback`.',
    example: {
      detail:
        'The Google sign-in failed. Try again. If it keeps failing, the operator should check the client ID, ' +
        'client secret and redirect URI.',
    },
  },
  'auth.google_sign_in_invalid': {
    kind: 'unauthenticated',
    title: 'The Google sign-in cannot be completed.',
    why:
      'It expired, was completed before, was started in another browser, or its response could not be verified. ' +
      'No session was started.',
    fix: 'Start again with `POST /api/auth/google/start`, and stay in the same browser.',
    example: {
      detail: 'This sign-in has expired after ten minutes. Start again with POST /api/auth/google/start.',
      reason: 'expired',
    },
    reasons: {
      expired: {
        why: 'The Google sign-in expired. It must be completed within ten minutes.',
        fix: 'Start again with `POST /api/auth/google/start`.',
        aliases: ['auth.google_state_expired'],
      },
      not_verified: {
        why:
          "Google's response could not be verified, so no session was started. The code was already used or is " +
          'invalid, or the ID token has the wrong issuer, audience, nonce or expiry. This also happens if you ' +
          'open a callback URL of another person.',
        fix:
          'Start again with `POST /api/auth/google/start` and stay in the same browser. If it keeps failing, ' +
          'check the clock of the service.',
        aliases: ['auth.google_not_verified'],
      },
      other_browser: {
        why:
          'The callback was opened in a browser that did not start this sign-in. `POST /api/auth/google/start` ' +
          'sets the cookie `__Host-capstan-google` (`capstan-google` on plain http at loopback), and the ' +
          'callback requires it. The cookie expires after ten minutes, and is missing if cookies are disabled or ' +
          'the URL was opened elsewhere.',
        fix: 'Start again and stay in one browser. Clients other than browsers must store the cookie themselves.',
        aliases: ['auth.google_other_browser'],
      },
      unknown: {
        why:
          'Unknown sign-in state. The callback URL was modified, or the sign-in was started more than an hour ' +
          'ago.',
        fix: 'Start again with `POST /api/auth/google/start`.',
        aliases: ['auth.google_state_unknown'],
      },
      used: {
        why:
          'This sign-in was already completed. The callback was opened twice, for example by a reload. Each ' +
          'sign-in can be completed once, even if it failed.',
        fix: 'If you are not signed in, start again with `POST /api/auth/google/start`.',
        aliases: ['auth.google_state_used'],
      },
    },
  },
  'auth.google_unavailable': {
    kind: 'unavailable',
    title: 'Google sign-in is not configured on this service.',
    why: 'The operator has not registered the service at Google.',
    fix:
      'Sign in with a wallet or email. To enable Google sign-in, the operator registers an OAuth web client at ' +
      'Google with the redirect URI `PUBLIC_URL` followed by `/api/auth/google/callback`, and sets ' +
      '`CAPSTAN_GOOGLE_CLIENT_ID` and `CAPSTAN_GOOGLE_CLIENT_SECRET`.',
    example: {
      detail: 'Google sign-in is not configured. Set CAPSTAN_GOOGLE_CLIENT_ID and CAPSTAN_GOOGLE_CLIENT_SECRET.',
    },
    aliases: ['auth.google_not_configured'],
  },
  'auth.identity_conflict': {
    kind: 'conflict',
    title: 'The sign-in method conflicts with an account.',
    why:
      'A wallet, an email address and a Google account each belong to one account, accounts are never merged, ' +
      'and an account keeps at least one sign-in method.',
    fix: '`GET /api/users/{id}` lists your sign-in methods. `reason` says what conflicts; see below.',
    example: { detail: 'This wallet is linked to another account.', reason: 'wallet_taken' },
    reasons: {
      account_changed: {
        why:
          'The account changed during the sign-in: its password changed, or the sign-in method was removed. No ' +
          'session was started, so that an earlier proof cannot open the account after the change.',
        fix: 'Sign in again.',
        aliases: ['auth.account_changed'],
      },
      account_exists: {
        why:
          "An account with this Google account's email address already exists. Accounts are never merged " +
          'automatically, because the owner of a mailbox may change.',
        fix:
          'Sign in to the existing account with email and password, then link Google with `POST ' +
          '/api/auth/google/link`. Afterwards, both methods open the same account.',
        aliases: ['auth.account_exists'],
      },
      device_key_taken: {
        why: 'The device key is registered already, for this account or another one.',
        fix: 'Make a new key. Each browser and program needs its own.',
      },
      device_key_waits: {
        why:
          'The waiting time of the device key has not ended, or the account has a wallet, which then has to confirm ' +
          'it. The detail says which.',
        fix:
          'Confirm it with another device or a wallet: `POST /api/auth/device-keys/{id}/confirm`. Otherwise wait ' +
          'until its `usable_from`.',
      },
      email_linked: {
        why: 'Your account already has an email address. An account can have only one.',
        fix:
          'If the account has another sign-in method, remove the address with `DELETE /api/auth/email`, then ' +
          'link the new one. To change only the password, use `POST /api/auth/email/password`.',
        aliases: ['auth.email_linked'],
      },
      email_taken: {
        why:
          'The address was linked to another account, or your account got another address, before the link was ' +
          'used. Accounts are never merged.',
        fix:
          'Sign in to the account that has the address, or reset its password with `POST ' +
          '/api/auth/email/reset/request`. To move an address, remove it there first.',
        aliases: ['auth.email_taken'],
      },
      google_linked: {
        why: 'Another Google account is already linked to this account. An account can have only one.',
        fix: 'Unlink it with `DELETE /api/auth/google`, then link the other one.',
        aliases: ['auth.google_other_linked'],
      },
      google_taken: {
        why:
          'This Google account is linked to another account. A Google account can be linked to one account only. ' +
          'Accounts are never merged.',
        fix:
          'Sign in with Google to open that account. To link it here, unlink it there first with `DELETE ' +
          '/api/auth/google`. An account without another sign-in method must be deleted instead.',
        aliases: ['auth.google_taken'],
      },
      last_identity: {
        why:
          'The last sign-in method of an account cannot be removed. Without a wallet, email address or Google ' +
          'account, the account would become inaccessible.',
        fix: 'Link another sign-in method first, or delete the account with `DELETE /api/users/{id}`.',
        aliases: ['auth.last_identity'],
      },
      wallet_taken: {
        why:
          'The wallet is linked to another account. A wallet can be linked to one account only, and accounts are ' +
          'never merged. Signing in with an unlinked wallet creates a new account.',
        fix: 'Sign in with the wallet, unlink it or delete that account, then link it here.',
        aliases: ['auth.wallet_taken'],
      },
    },
  },
  'auth.insufficient_scope': {
    kind: 'forbidden',
    title: 'The token or API key lacks the required scope.',
    why: "A request is limited to the scopes of its token or API key and to those of the account's current tier.",
    fix: '`GET /api/auth/session` shows the scopes of the current credential. Use one that has the scope.',
    example: { detail: 'Insufficient scope. Required scope: write.', reason: 'required' },
    reasons: {
      requested: {
        why:
          'An API key cannot have scopes that you do not have. A key is limited to the scopes of the credential ' +
          'that creates it and of your current tier. `admin` requires the tier `pro`.',
        fix:
          'Request fewer scopes, or sign in with a credential that has them. `GET /api/auth/session` shows your ' +
          'scopes.',
        aliases: ['users.scope_too_wide'],
      },
      required: {
        why:
          'The operation requires a scope that the credential lacks. Reading requires `read`, other operations ' +
          '`write`; a few operations name another scope.',
        fix:
          'The `WWW-Authenticate` header contains the required scope. Use an API key with that scope, or a ' +
          'session token.',
        aliases: ['auth.insufficient_scope'],
      },
    },
  },
  'auth.limit_exceeded': {
    kind: 'rate_limited',
    title: 'Too many sign-in attempts or registrations.',
    why:
      'Failed logins are limited per address, and registrations per network. Other sign-in methods are not ' +
      'affected.',
    fix: 'Retry after `Retry-After` seconds, or use another sign-in method.',
    example: {
      detail: 'Too many new accounts from your network. Retry in 3600 s, or sign in to an existing account.',
      reason: 'new_accounts',
      retry_after: 3600,
    },
    reasons: {
      failed_logins: {
        why:
          'Too many failed logins for this address in the last hour. Anyone can send wrong passwords for an ' +
          'address, so this does not indicate a problem with your account. The limit applies to addresses with ' +
          'and without an account. Until `Retry-After`, the correct password is rejected as well, except from a ' +
          'known device.',
        fix:
          '- Request a link: `POST /api/auth/email/sign-in/request`, or "Email me a sign-in link" on the sign-in ' +
          'page. It works at once.\n' +
          '- Or sign in with a wallet or Google, if your account has one.\n' +
          '- Or send the `device_token` of an earlier login with your password. Browsers that signed in before ' +
          'do this automatically.\n' +
          '\n' +
          'Operators set the limit with `CAPSTAN_LIMIT_FAILED_LOGINS`.',
        aliases: ['auth.too_many_attempts'],
      },
      new_accounts: {
        why:
          'Too many accounts were registered from your network. Registrations are limited per IPv4 address or ' +
          'IPv6 /64, with a higher limit for the surrounding network. Signing in to an existing account is not ' +
          'limited by this.',
        fix:
          'Wait until `Retry-After`, register from another network, or sign in with Google. Operators set ' +
          '`CAPSTAN_LIMIT_NEW_ACCOUNTS` and `CAPSTAN_LIMIT_NEW_ACCOUNTS_NETWORK`. Behind a reverse proxy, ' +
          '`CAPSTAN_TRUSTED_PROXIES` must list it, or all users count as one address.',
        aliases: ['auth.too_many_new_accounts'],
      },
    },
  },
  'auth.not_found': {
    kind: 'not_found',
    title: 'Your account has no such session, device, API key or sign-in method.',
    why: 'It was removed or has expired, or belongs to another account. All of these return the same response.',
    fix: 'List what your account has, and use an id from the list.',
    example: { detail: 'API key not found.', reason: 'api_key' },
    reasons: {
      api_key: {
        why:
          'API key not found. It was deleted or belongs to another account, or the id is not the `id` from the ' +
          'list of your keys.',
        fix: '`GET /api/users/{id}/api-keys` lists your keys. The key itself, `cap_…`, is not its id.',
        aliases: ['users.key_not_found'],
      },
      device: {
        why:
          'Device not found. It was removed, expired 180 days after its last use, or was removed by a password ' +
          'change.',
        fix: 'List known devices with `GET /api/auth/devices`.',
        aliases: ['auth.device_not_found'],
      },
      device_key: {
        why: 'Device key not found. It was revoked, rejected or already confirmed, or belongs to another account.',
        fix: 'List your device keys with `GET /api/auth/device-keys`.',
      },
      email: {
        why:
          'No email address is linked to your account, so there is no password to change and no address to ' +
          'remove.',
        fix: 'Link one with `POST /api/auth/email`. `GET /api/users/{id}` lists your sign-in methods.',
        aliases: ['auth.email_not_linked'],
      },
      google: {
        why: 'No Google account is linked to this account.',
        fix: 'No action is needed. `GET /api/users/{id}` lists your sign-in methods.',
        aliases: ['auth.google_not_linked'],
      },
      session: {
        why: 'Session not found. The session has ended or expired, or it belongs to another user.',
        fix: '- `GET /api/auth/sessions` lists your active sessions.',
        aliases: ['auth.sign_in_not_found'],
      },
      wallet: {
        why: 'Wallet not found on your account. Wallets of other accounts return the same response.',
        fix: '`GET /api/users/{id}` with your own id lists your wallets.',
        aliases: ['auth.no_such_wallet'],
      },
    },
  },
  'auth.oauth_invalid': {
    kind: 'invalid_request',
    title: 'The OAuth request is invalid.',
    why:
      'The client sent something that does not match its registration, the grant or the standard. OAuth ' +
      'endpoints also send the standard `error`.',
    fix: "The client's developer must correct the request. Users can close the page.",
    example: {
      detail: 'Invalid redirect_uri: it is missing or not registered for this client.',
      reason: 'redirect_uri',
    },
    reasons: {
      authorization_request: {
        why:
          'The OAuth authorization request is invalid. `response_type` is not `code`, PKCE with S256 is missing, ' +
          "`resource` belongs to another service, no requested scope is known or allowed by the user's tier, or " +
          '`prompt=none` was sent. The error is not forwarded to websites automatically.',
        fix: "The client's developer must correct the request. Users can follow the link back, or close the page.",
        aliases: ['auth.authorization_refused'],
      },
      client_document: {
        why:
          'Invalid client ID metadata document. The URL is not https, is not normalized or resolves to a private ' +
          'network; the document could not be fetched within 5 seconds and 16 KB without a redirect; it is not ' +
          '`application/json`; its `client_id` differs from its URL; or its `token_endpoint_auth_method` is not ' +
          '`none`.',
        fix:
          "The client's developer must correct the document. Responses are cached for ten minutes, failures for " +
          '15 seconds. Outside production, http on a loopback address is allowed.',
        aliases: ['auth.client_document_refused'],
      },
      client_metadata: {
        why:
          'Invalid OAuth client metadata. `redirect_uris` must contain 1 to 20 URIs: https, http on `127.0.0.1`, ' +
          '`[::1]` or `localhost`, a private-use scheme with a dot (`com.example.app:/callback`), or the scheme ' +
          'of a known editor. `grant_types` must include `authorization_code`, and `response_types` must include ' +
          '`code`.',
        fix:
          'Correct the registration or the document. At `/oauth/register`, the response contains `error` ' +
          '`invalid_redirect_uri` or `invalid_client_metadata`.',
        aliases: ['auth.client_metadata_refused'],
      },
      client_unknown: {
        why:
          'Unknown `client_id`. It is missing or mistyped, or the registration was deleted: after one day if no ' +
          'user authorized the client, otherwise after 90 days without use.',
        fix:
          'Delete the sign-in from the client and connect again, so that it registers again. Clients with a ' +
          'metadata document are never deleted.',
        aliases: ['auth.client_unknown'],
      },
      grant: {
        why:
          'Invalid authorization code or refresh token. It is unknown, already used or expired (codes after one ' +
          'minute, sessions after 30 days), was issued for another client, redirect URI or resource, or ' +
          '`code_verifier` does not match. Reusing a code, or using an old refresh token more than a minute ' +
          'after it was replaced, revokes the session. The user can also revoke it.',
        fix: 'Start again at the authorization endpoint. The OAuth `error` is `invalid_grant`.',
        aliases: ['auth.grant_refused'],
      },
      grant_type: {
        why:
          'Unsupported `grant_type`, or a required field of the grant is missing. `grant_type` must be ' +
          '`authorization_code`, with `code`, `code_verifier` and `client_id`, or `refresh_token`, with ' +
          '`refresh_token` and `client_id`.',
        fix: 'Correct the request. The OAuth `error` is `unsupported_grant_type`.',
        aliases: ['auth.grant_type_unknown'],
      },
      redirect_uri: {
        why:
          'Invalid `redirect_uri`. It is missing or not registered by the client. URIs must match exactly; on ' +
          '`127.0.0.1`, `[::1]` and `localhost`, the port may differ.',
        fix:
          "The client's developer must add the URI to the client's metadata or register again. If you followed a " +
          'link in a message, close the page: it may be a phishing attempt.',
        aliases: ['auth.redirect_refused'],
      },
      resource: {
        why:
          'The token request names another resource than the user authorized. `resource` at the token endpoint ' +
          'must match the authorization request (RFC 8707): the service or its MCP endpoint.',
        fix: 'Send the same `resource`, or omit it. The OAuth `error` is `invalid_target`.',
        aliases: ['auth.resource_refused'],
      },
      scope: {
        why:
          'The requested scope exceeds the granted scope. A refresh can only request scopes of the original ' +
          'grant.',
        fix:
          'Omit `scope`, or start again at the authorization endpoint to ask the user. The OAuth `error` is ' +
          '`invalid_scope`.',
        aliases: ['auth.scope_refused'],
      },
    },
  },
  'auth.password_invalid': {
    kind: 'forbidden',
    title: 'The current password is incorrect.',
    why:
      'Changing a password requires the current one. Wrong passwords count as failed logins: after ten in an ' +
      'hour, the response is `auth.limit_exceeded`.',
    fix: 'Try again, or reset the password with `POST /api/auth/email/reset/request`.',
    example: { detail: 'The current password is incorrect. No changes were made.' },
    aliases: ['auth.wrong_password'],
  },
  'auth.proof_of_work_invalid': {
    kind: 'invalid_request',
    title: 'Invalid proof-of-work solution.',
    why:
      'The challenge was issued for another account or has expired after ten minutes, or the nonce is wrong: the ' +
      'SHA-256 of `<challenge>:<nonce>`, both as text, must begin with `difficulty_bits` zero bits.',
    fix:
      'Request a new challenge with `POST /api/auth/proof-of-work` and try nonces (up to 64 visible ASCII ' +
      'characters, such as `0`, `1`, `2`) until one matches.',
    example: { detail: 'The nonce does not match the difficulty. Request a new challenge.' },
  },
  'auth.rpc_failed': {
    kind: 'upstream_failed',
    title: "The Ethereum node failed to check the contract wallet's signature.",
    why:
      'The node is unreachable, rejects the call or serves another chain. Externally owned accounts are not ' +
      'affected, because their signatures are checked without a node. The challenge is now used up.',
    fix:
      'Try again later with a new challenge. Operators: check `CAPSTAN_ETHEREUM_RPC_URL`; the node must serve ' +
      'chain 1 and allow `eth_call`.',
    example: { detail: 'The Ethereum node did not respond. Try again later.' },
  },
  'auth.rpc_required': {
    kind: 'unprocessable',
    title: 'Checking this signature requires an Ethereum node, but none is configured.',
    why:
      'Externally owned accounts sign with 65 bytes. Any other signature is treated as one of a contract wallet ' +
      '(ERC-1271, or ERC-6492 before deployment), which only its contract can check. The challenge is now used ' +
      'up.',
    fix: 'Sign with an externally owned account, or ask the operator to set `CAPSTAN_ETHEREUM_RPC_URL`.',
    example: {
      detail:
        'Invalid signature length: expected the 65-byte signature of an externally owned account. Contract ' +
        'wallets require CAPSTAN_ETHEREUM_RPC_URL to be set on the service.',
    },
  },
  'auth.sign_in_required': {
    kind: 'forbidden',
    title: 'This operation requires a sign-in to your account.',
    why: 'The credential is an API key, a token of an OAuth client, or the token of an old sign-in.',
    fix: 'Sign in, and repeat the request with the new token.',
    example: {
      detail: 'This operation requires a sign-in from the last ten minutes. Sign in again.',
      reason: 'recent',
    },
    reasons: {
      oauth_client: {
        why: 'Tokens of OAuth clients cannot be refreshed at `/api/auth/refresh`.',
        fix:
          'Send the refresh token to `POST /oauth/token` with `grant_type=refresh_token`. Each use returns a new ' +
          'refresh token.',
        aliases: ['auth.refresh_elsewhere'],
      },
      recent: {
        why:
          'This operation requires a sign-in from the last ten minutes. The operation changes or removes access ' +
          'to the account. Accounts with a wallet confirm it with a signature; accounts without one need a ' +
          'recent sign-in. API keys are not sufficient.',
        fix:
          '- Sign in again and repeat the request with the new token.\n' +
          '- Refreshing a token does not help, because it belongs to the same sign-in.',
        aliases: ['auth.sign_in_again'],
      },
      session: {
        why: 'This operation requires a session token. API keys have no session.',
        fix:
          '- Call it with the token of a sign-in.\n' +
          '- To revoke an API key, use `DELETE /api/users/{id}/api-keys/{key_id}`.',
        aliases: ['auth.sign_in_needed'],
      },
    },
  },
  'auth.signature_invalid': {
    kind: 'unauthenticated',
    title: 'The challenge or its wallet signature was refused.',
    why:
      'A challenge is valid once, for one wallet, one purpose and a few minutes, and its exact message must be ' +
      'signed. The challenge is now used up.',
    fix:
      'Request a new challenge with `POST /api/wallets/challenge`, sign its `message` byte for byte, and send it ' +
      'immediately.',
    example: { detail: 'Challenge expired. Request a new one.', reason: 'challenge_expired' },
    reasons: {
      challenge_expired: {
        why:
          'The wallet challenge has expired. Challenges are valid for five minutes to sign in and for two ' +
          'minutes to confirm a request, and for one attempt only.',
        fix:
          'Request a new challenge with `POST /api/wallets/challenge`, sign its `message` and send it ' +
          'immediately. If challenges always expire, check the clock of the service.',
        aliases: ['auth.challenge_expired'],
      },
      challenge_unknown: {
        why:
          'Challenge not found. The id does not belong to a challenge of `POST /api/wallets/challenge`, or the ' +
          'challenge expired and was deleted.',
        fix: 'Request a new challenge and send its id unchanged.',
        aliases: ['auth.challenge_unknown'],
      },
      challenge_used: {
        why:
          'The challenge was already used. Each challenge is valid for one attempt, even if the signature was ' +
          'wrong. It can sign in, link a wallet or confirm one sensitive request.',
        fix:
          'Request a new challenge with `POST /api/wallets/challenge` for each attempt. If you used it only ' +
          'once, another party may have used it. It can only confirm what its text says.',
        aliases: ['auth.challenge_used'],
      },
      purpose: {
        why:
          'The challenge was issued for another purpose. A sign-in challenge cannot confirm a request, and a ' +
          'challenge for a request confirms only the request named in its text. The challenge is now used up.',
        fix:
          '- To sign in, request the challenge without a token, or with `{"purpose": {"operation": ' +
          '"accounts.wallets.verify"}}`.\n' +
          '- To confirm a request, request the challenge with the same token as the request, and name the ' +
          'operation and its path: `{"purpose": {"operation": "accounts.users.delete", "target": ' +
          '"/api/users/<id>"}}`. The problem\'s `detail` contains both.\n' +
          '- To link a wallet, sign a challenge for `accounts.wallets.link` with that wallet.',
        aliases: ['auth.challenge_wrong_purpose'],
      },
      signature: {
        why:
          'Invalid wallet signature. Another key signed, another message was signed, or the signature was ' +
          'altered. Ethereum signatures are `0x` and hexadecimal digits from `personal_sign` (EIP-191) and must ' +
          'use the lower `s` value; Solana signatures are base58. The challenge is now used up.',
        fix: 'Request a new challenge and sign its `message` byte for byte.',
        aliases: ['auth.wallet_signature_invalid'],
      },
      wallet: {
        why:
          'The challenge was issued for another wallet. `wallet_address` differs from the address the challenge ' +
          'was requested for. The challenge is now used up.',
        fix:
          'Request a challenge for the address of the wallet that will sign, and send the same address with the ' +
          'signature.',
        aliases: ['auth.challenge_wrong_wallet'],
      },
    },
  },
  'auth.signature_required': {
    kind: 'signature_required',
    title: 'This operation requires a wallet signature in addition to the token.',
    why: 'It accesses data or settings that only the owner of the account may use.',
    fix:
      '- Request a challenge with the same token: `POST /api/wallets/challenge` with a linked wallet and the ' +
      "`purpose` from this problem's `detail`.\n" +
      '- Sign its message with the wallet.\n' +
      '- Repeat the request with the headers `x-challenge-id` and `x-wallet-signature`. A challenge is valid for ' +
      'one request.',
    example: {
      detail:
        'Wallet signature required. Request a challenge with this token and {"purpose": ' +
        '{"operation":"accounts.users.delete"}}, sign its message, and send it as x-challenge-id and ' +
        'x-wallet-signature.',
    },
    aliases: ['auth.signature_missing'],
  },
  'auth.token_invalid': {
    kind: 'unauthenticated',
    title: 'The token or API key is invalid or has expired.',
    why: 'Tokens are valid for 24 hours, and no longer than their session.',
    fix: 'Sign in again, or use another API key.',
    example: { detail: 'Token expired. Sign in again.', reason: 'expired' },
    reasons: {
      expired: {
        why:
          'The token has expired. A token is valid for 24 hours, and no longer than its session, which lasts 30 ' +
          'days.',
        fix: '- Sign in again.\n' + '- To avoid this, refresh the token before it expires: `POST /api/auth/refresh`.',
        aliases: ['auth.token_expired'],
      },
      invalid: {
        why:
          'The token or API key is invalid. It may be malformed, issued by another service, replaced by a newer ' +
          'token, or revoked. The response does not say which.',
        fix:
          '- Sign in again, or use another API key.\n' +
          '- After a refresh, use the new token: the old one stays valid for one minute. Refreshing with an old ' +
          'token later revokes the session.',
        aliases: ['auth.token_invalid'],
      },
    },
  },
  'auth.token_required': {
    kind: 'unauthenticated',
    title: 'Authentication required.',
    why: 'All operations that are not public require a token or an API key in the `Authorization` header.',
    fix:
      '- Sign in with a wallet, an email account or Google, and send `Authorization: Bearer <token>`.\n' +
      '- Or send an API key in the same header.\n' +
      '- Tokens in the query string, cookies or the body are ignored.',
    example: { detail: 'Authentication required. Send Authorization: Bearer <token>.' },
    aliases: ['auth.token_missing'],
  },
  'auth.wallet_required': {
    kind: 'forbidden',
    title: 'This operation requires the signature of a device key or a wallet of the account.',
    why: 'It accesses data or settings that only the owner of the account may use.',
    fix:
      'Register a device key with `POST /api/auth/device-keys`, link a wallet with `POST /api/auth/wallets`, or sign ' +
      'with one of yours.',
    example: {
      detail:
        'Signature required, but the account has no device key or wallet. Add this device or link a wallet first.',
      reason: 'none',
    },
    reasons: {
      none: {
        why: 'The account has neither a device key nor a wallet.',
        fix:
          '- In the browser, add the device under Account. A program makes an Ed25519 key, requests a challenge for ' +
          '`accounts.deviceKeys.register` with `wallet_type: "device"`, signs it, and sends it to `POST ' +
          '/api/auth/device-keys`.\n' +
          '- Or link a wallet: request a challenge for `accounts.wallets.link`, sign it with the wallet and send it to ' +
          '`POST /api/auth/wallets`.\n' +
          '- Then repeat the request with the headers `x-challenge-id` and `x-wallet-signature`.',
        aliases: ['auth.wallet_required'],
      },
      not_linked: {
        why:
          'The wallet or device key that signed is not one of your account, or the device key still waits for a ' +
          'confirmation. The challenge is now used up.',
        fix:
          'Request a challenge for one of your device keys or wallets; `GET /api/auth/session` shows your account. To use this ' +
          'wallet, link it first with `POST /api/auth/wallets`.',
        aliases: ['auth.wallet_not_linked'],
      },
    },
  },
  'users.api_key_invalid': {
    kind: 'unprocessable',
    title: '`expires_at` must be in the future.',
    why: 'The time is compared with the clock of the service, which the message contains.',
    fix: 'Send a later `expires_at`, or omit it for a key that does not expire.',
    example: {
      detail: 'expires_at must be in the future. It is now 2026-03-01T12:00:00Z.',
      errors: [{ pointer: '/expires_at', detail: 'must be in the future' }],
    },
    aliases: ['users.expiry_past'],
  },
  'users.conflict': {
    kind: 'conflict',
    title: 'The account has changed.',
    why: 'Another operator changed the account after you read it. Nothing was changed by this request.',
    fix: 'Read the account again, and decide on its current state.',
    example: { detail: 'The tier is pro, not free. Reload the account and decide again.', reason: 'changed' },
    reasons: {
      changed: {
        why: 'The account is no longer as the request says: another operator may have changed it first.',
        fix: 'Read the account again with `GET /api/operator/users`, and decide on its current state.',
      },
    },
  },
  'users.forbidden': {
    kind: 'forbidden',
    title: 'The account may not do this.',
    why: 'The account is suspended, or the change is not possible for this account.',
    fix: '`reason` says which; see below.',
    example: { detail: 'This account is suspended: It sends spam.', reason: 'suspended' },
    reasons: {
      operator: {
        why: 'Operators cannot be suspended, so that no operator can lock out the others.',
        fix: 'Remove the role first, on the server: `capstand users revoke-operator USER`.',
      },
      suspended: {
        why: 'An operator has suspended the account. The detail has the reason.',
        fix:
          'You can still export your data (`GET /api/users/{id}/export`) and delete the account. To have the ' +
          'suspension lifted, contact the operators of the service.',
      },
    },
  },
  'users.limit_exceeded': {
    kind: 'conflict',
    title: 'Your account has reached a limit on what it can keep.',
    why: 'Operators limit how many items of each kind an account keeps. Nothing was stored.',
    fix: 'Delete what you no longer need, or ask the operator to raise the limit.',
    example: { detail: 'API key limit reached (50). Delete one first.', reason: 'api_keys' },
    members: {
      limit: 'The limit, where the reason has a number.',
      of: 'What is full: `harnesses`, `memories` or `bytes` (`harnesses`).',
    },
    reasons: {
      api_keys: {
        why: 'API key limit reached. An account can have 50 keys, including expired ones.',
        fix:
          'Delete unused keys with `DELETE /api/users/{id}/api-keys/{key_id}` and try again. `last_used_at` in ' +
          'the list shows when each was last used.',
        aliases: ['users.too_many_keys'],
      },
      device_keys: {
        why: 'Device key limit reached. An account can have 20, including those that wait for a confirmation.',
        fix: 'Revoke a device that you no longer use with `DELETE /api/auth/device-keys/{id}`.',
      },
      connections: {
        why: 'You have reached the connection limit. Operators set the limit with `CAPSTAN_CONNECTIONS_PER_USER`.',
        fix: 'Delete a connection that you no longer need.',
        aliases: ['sessions.too_many'],
      },
      context_blocks: {
        why: 'A context has at most 50 blocks, because all of them are read each time.',
        fix: "Delete a block, or write to the harness's memory, which is searched when it is needed.",
        aliases: ['harnesses.context_full'],
      },
      conversation_length: {
        why: 'The conversation has 500 turns, or 2 MiB of text.',
        fix: 'Start a new conversation: omit `conversation_id`.',
        aliases: ['agents.conversation_full'],
      },
      conversations: {
        why: 'You have as many conversations as `CAPSTAN_CONVERSATIONS` allows.',
        fix: 'Delete some with `DELETE /api/agents/core-agent/conversations/{id}`, or continue one of them.',
        aliases: ['agents.too_many_conversations'],
      },
      endpoints: {
        why: 'An account can have 50 endpoints for its connections, including expired ones.',
        fix: 'Delete one with `DELETE /api/sessions/endpoints/{id}`. `last_used_at` shows when each was last used.',
      },
      harnesses: {
        why:
          'Your harnesses, memories or their bytes reached the limit. All versions count. Operators set ' +
          '`CAPSTAN_HARNESSES_PER_USER`, `CAPSTAN_MEMORIES_PER_USER` and `CAPSTAN_HARNESS_BYTES`.',
        fix: 'Redact old versions, or delete a harness. Its export can be imported again.',
        aliases: ['harnesses.limit_reached'],
      },
      rig_versions: {
        why: 'A rig has at most 200 versions.',
        fix: 'Delete versions that were never locked, or store the next version as another rig.',
      },
      rigs: {
        why: 'You have as many rigs as `CAPSTAN_RIGS_PER_USER` allows (default: 100).',
        fix: 'Store the rig as a version of an existing one, or delete a rig.',
        aliases: ['rigs.too_many'],
      },
      skills: {
        why: 'You have given values, hosts or permissions to 500 skills.',
        fix: 'Delete what you gave those that you no longer use: `DELETE /api/agents/skills/{provider}/{id}/grants`.',
      },
      tasks: {
        why:
          'You have as many tasks as `CAPSTAN_TASKS_KEPT` allows. Tasks keep their input, output and files until ' +
          'you delete them.',
        fix:
          'Delete finished tasks: `GET /api/agents/tasks?status=completed` lists them, `DELETE ' +
          '/api/agents/tasks/{id}` deletes one. Receipts and traces are kept.',
        aliases: ['tasks.too_many'],
      },
      wallets: {
        why: 'Wallet limit reached. An account can have 20 wallets.',
        fix:
          'Unlink an unused one with `DELETE /api/auth/wallets/{wallet_type}/{wallet_address}`, then link the ' +
          'new one.',
        aliases: ['auth.wallets_full'],
      },
    },
  },
  'users.not_found': {
    kind: 'not_found',
    title: 'User not found.',
    why: 'The wallet is not linked to any account, the id is unknown, or the account was deleted.',
    fix:
      '- Check the id, or the address and its `wallet_type`.\n' +
      '- Operators: `capstand users list` lists the accounts; name a user by id, email or wallet address.',
    example: { detail: 'User not found.' },
  },
  'users.proof_required': {
    kind: 'forbidden',
    title: 'New accounts must verify themselves before this operation.',
    why:
      'Wallet accounts are free to create in bulk. Until verified, an account can read, create connections and ' +
      'run first-party skills that use no language model. Language models and third-party capabilities require ' +
      'one of these:',
    fix:
      '- A proof of work, a few seconds of computing: `POST /api/auth/proof-of-work`, find a nonce, `POST ' +
      '/api/auth/proof-of-work/answer`. The SDK, the CLI and the web pages do this automatically.\n' +
      '- A confirmed email address: `POST /api/auth/email`.\n' +
      '- A linked Google account: `POST /api/auth/google/link`.\n' +
      '\n' +
      'Verification is needed once. Operators set the difficulty with `CAPSTAN_PROOF_OF_WORK_BITS`; 0 disables ' +
      'it.',
    example: {
      detail:
        'New accounts must verify themselves before using language models or running third-party capabilities. ' +
        'Complete a proof of work (POST /api/auth/proof-of-work), confirm an email address (POST ' +
        '/api/auth/email) or link Google.',
    },
  },
  'users.quota_exceeded': {
    kind: 'quota_exceeded',
    title: "Your account's quota is exhausted.",
    why: 'Language model requests are limited per day, and stored bytes in total. Both limits depend on your tier.',
    fix: '`GET /api/auth/session` shows your quotas. Wait, or delete data.',
    example: {
      detail:
        'Daily LLM quota exhausted (100 requests). It resets at 2026-03-02T00:00:00Z. Upgrade your tier for a ' +
        'higher quota.',
      reason: 'quota_exceeded',
    },
    members: {
      storage: 'Bytes of each kind with its limit (`storage_full`).',
    },
    reasons: {
      quota_exceeded: {
        why:
          'Daily LLM quota exhausted. Each chat turn and each prompt task counts once. `free` has 100 requests ' +
          "per UTC day, `casual` 500, and `pro` is unlimited. Requests that the model's provider never started " +
          'are refunded.',
        fix:
          'Wait `Retry-After` seconds; the quota resets at 00:00 UTC. `RateLimit` and `RateLimit-Policy` contain ' +
          'the remaining quota and the limit, as does `GET /api/auth/session`. The deterministic planner ' +
          '`builtin/planner` uses no quota.',
        aliases: ['users.quota_exceeded'],
      },
      storage_full: {
        why:
          'Your account has no storage left for this request. Nothing was stored. All stored data counts: tasks ' +
          'with their input and output, traces, conversations, connections, harnesses, rigs, published versions ' +
          'and stored responses. The limit depends on your tier, and each kind may use part of it. Receipts and ' +
          'audit entries do not count.',
        fix:
          '`detail` names the largest kind and what to delete. `storage` lists the bytes of each kind with its ' +
          'limit, as do `GET /api/auth/session`, `capstan whoami` and the page *Account*. Deleted data frees ' +
          'storage at once. Traces, conversations and stored responses also expire ' +
          '([retention](../guides/retention.md)).',
        aliases: ['users.storage_full'],
      },
    },
  },
} as const satisfies ErrorTable;

/** `throw accountsProblem('auth.credentials_invalid', …)`: a failure with one of these codes. */
export const accountsProblem = problemOf(ACCOUNTS_ERRORS);

import { SIGNED_IN_EXAMPLE, SignedInSchema } from '#accounts/auth/signed-in-answer.ts';
import { deleted } from '#accounts/users/deleted.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** The operations of Google sign-in. */

const STARTED_EXAMPLE = {
  authorization_url:
    'https://accounts.google.com/o/oauth2/v2/auth?client_id=…&response_type=code&scope=openid+email+profile&state=…',
  state: 'x9Qm0c1T3i2cYb1Jm6w4m8yU0o0yq6l1bq8s3m9kZ7E',
};

const Started = Type.Object({
  authorization_url: Type.String({ description: 'URL to open in the browser.' }),
  state: Type.String({ description: 'OAuth state, returned to the callback.' }),
});

const Linked = Type.Object({
  status: Type.Literal('linked'),
  google: Type.Object({ email: Type.String(), linked_at: Type.String({ format: 'date-time' }) }),
});

const StartBody = Type.Object(
  {
    return_to: Type.Optional(
      Type.String({
        maxLength: 1_024,
        description:
          'A path on this service, such as `/account`. The callback redirects there. If omitted, the ' +
          'callback returns JSON.',
      }),
    ),
  },
  { additionalProperties: false },
);

const COOKIE =
  'Also sets the cookie `__Host-capstan-google` (`capstan-google` on http at loopback). Only the browser ' +
  'with this cookie can complete the flow, once, within ten minutes.';

const started = {
  200: jsonAnswer('Flow started.', Started, STARTED_EXAMPLE),
};

const UPSTREAM = ['auth.google_unavailable', 'auth.google_failed', 'outbound.failed', 'outbound.timeout'];

export const googleContract = {
  start: operation({
    id: 'accounts.google.start',
    method: 'POST',
    path: '/api/auth/google/start',
    summary: 'Start a Google sign-in',
    description: `Returns the Google authorization URL. ${COOKIE}`,
    access: 'public',
    limit: 'google',
    body: StartBody,
    body_example: { return_to: '/' },
    answers: started,
    problems: ['http.invalid', ...UPSTREAM],
  }),
  finish: operation({
    id: 'accounts.google.finish',
    method: 'GET',
    path: '/api/auth/google/callback',
    summary: 'Complete a sign-in with Google',
    description:
      'OAuth redirect URI for Google; not called directly. Creates an account for an unknown Google account. ' +
      'With `return_to`, the token is stored in the cookie of the web pages and never in a URL; otherwise it is ' +
      'returned in the response. Unknown parameters are ignored.',
    access: 'public',
    limit: 'google',
    query: Type.Object({
      state: Type.String({ maxLength: 512, description: 'State returned by `start`.' }),
      code: Type.Optional(Type.String({ maxLength: 4_096, description: 'Authorization code from Google.' })),
      iss: Type.Optional(Type.String({ maxLength: 2_048, description: 'Issuer of the response.' })),
      error: Type.Optional(Type.String({ maxLength: 512, description: 'OAuth error code.' })),
    }),
    open_query: true,
    examples: { state: STARTED_EXAMPLE.state, code: '4/0AbCdEf' },
    answers: {
      200: jsonAnswer(
        'Signed in, or Google account linked, depending on how the flow was started.',
        Type.Union([SignedInSchema, Linked]),
        SIGNED_IN_EXAMPLE,
      ),
      303: { description: 'Redirect to `return_to`, with the same outcome.', content: {} },
    },
    problems: [
      'auth.identity_conflict',
      'auth.google_denied',
      'auth.google_sign_in_invalid',
      'users.not_found',
      ...UPSTREAM,
    ],
  }),
  link: operation({
    id: 'accounts.google.link',
    method: 'POST',
    path: '/api/auth/google/link',
    summary: 'Start linking a Google account',
    description: `Like \`start\`, but links the Google account to your account. ${COOKIE}`,
    access: 'fresh',
    limit: 'google',
    body: StartBody,
    body_example: { return_to: '/' },
    answers: started,
    problems: ['http.invalid', ...UPSTREAM],
  }),
  unlink: operation({
    id: 'accounts.google.unlink',
    method: 'DELETE',
    path: '/api/auth/google',
    summary: 'Unlink the Google account',
    description:
      'Disables Google sign-in for the account and ends all other sessions. The last sign-in method cannot ' +
      'be removed.',
    access: 'fresh',
    answers: { 200: deleted('Google account unlinked.') },
    problems: ['auth.not_found', 'auth.identity_conflict'],
  }),
} as const;

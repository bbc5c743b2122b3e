import { deleted } from '#accounts/users/deleted.ts';
import { visibleName } from '#accounts/users/display-name.ts';
import { PROOF_PROBLEMS, Proof } from '#accounts/wallets/contract.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** Operations on device keys, which confirm sensitive requests in place of a wallet. */

const ADDRESS = '6sbzC1eH4FTujJXWj51eQe25cYvr4xfXbJ1vAj7j2k5J';
const ID = '0197a000-0000-7000-8000-0000000000d7';
const time = Type.String({ format: 'date-time' });
const Name = visibleName('Name of the device.');

const DeviceKey = Type.Object({
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  address: Type.String({ description: 'Public key in base58.' }),
  status: Type.Enum(['active', 'waiting'], { description: 'A waiting key confirms nothing yet.' }),
  created_at: time,
  usable_from: Type.Union([time, Type.Null()], {
    description:
      'For a waiting key: from when on it can be finished without another device. Null if the account has ' +
      'a wallet, which then has to confirm it.',
  }),
  last_used_at: Type.Union([time, Type.Null()], { description: 'When the key last signed, to the minute.' }),
});
const EXAMPLE = {
  id: ID,
  name: 'Firefox on Linux',
  address: ADDRESS,
  status: 'active',
  created_at: '2026-04-14T10:00:00.000Z',
  usable_from: null,
  last_used_at: '2026-04-15T09:00:00.000Z',
};
const PROOF_EXAMPLE = {
  challenge_id: '019a8c1e-7f00-7000-8000-3b1f6f4f9a10',
  signature: '3AhUPSZSMXmuDnBLkcB2FFEYzYnWyxQYvzBpcmrbpKTm8kKXL7ArPJT8JwUAxN3mBcVAFSg1vbMgQ7WyBXJBj6aK',
  wallet_address: ADDRESS,
};
const OfKey = {
  params: Type.Object({ id: Type.String({ format: 'uuid', description: 'Device key id.' }) }),
  examples: { id: ID },
};

export const deviceKeysContract = {
  list: operation({
    id: 'accounts.deviceKeys.list',
    method: 'GET',
    path: '/api/auth/device-keys',
    summary: 'List device keys',
    description: 'Oldest first, with keys that wait for a confirmation. An account has at most 20.',
    access: 'jwt',
    answers: {
      200: jsonAnswer(
        'All device keys.',
        Type.Object({ items: Type.Array(DeviceKey), total_count: Type.Integer({ minimum: 0 }) }),
        { items: [EXAMPLE], total_count: 1 },
      ),
    },
    problems: [],
  }),
  register: operation({
    id: 'accounts.deviceKeys.register',
    method: 'POST',
    path: '/api/auth/device-keys',
    summary: 'Register a device key',
    description:
      'Registers an Ed25519 key that confirms sensitive requests in place of a wallet: request its ' +
      'challenges with `wallet_type: "device"`. It never signs in. Requires a sign-in from the last ten ' +
      'minutes, and a challenge for this operation signed by the key. The first key of an account without ' +
      'a wallet is active at once. Any other waits until another device or a wallet confirms it, or until ' +
      '`usable_from`. The owner is notified by email.',
    access: 'jwt',
    signs: ['name', 'wallet_address'],
    scope: 'write',
    limit: 'wallet',
    body: Type.Object({ name: Name, ...Proof.properties }, { additionalProperties: false }),
    body_example: { name: 'Firefox on Linux', ...PROOF_EXAMPLE },
    answers: { 201: jsonAnswer('Registered, or waiting.', DeviceKey, EXAMPLE) },
    problems: [...PROOF_PROBLEMS, 'auth.sign_in_required', 'auth.identity_conflict', 'users.limit_exceeded'],
  }),
  confirm: operation({
    id: 'accounts.deviceKeys.confirm',
    method: 'POST',
    path: '/api/auth/device-keys/{id}/confirm',
    summary: 'Confirm a waiting device key',
    description: 'Activates a waiting key with the signature of another device or a wallet of the account.',
    access: 'sensitive',
    ...OfKey,
    answers: { 200: jsonAnswer('Device key active.', DeviceKey, EXAMPLE) },
    problems: ['auth.not_found'],
  }),
  finish: operation({
    id: 'accounts.deviceKeys.finish',
    method: 'POST',
    path: '/api/auth/device-keys/{id}/finish',
    summary: 'Activate a device key after its waiting time',
    description:
      'For an owner who lost every other device: activates a waiting key from its `usable_from` on. ' +
      'Requires a sign-in from the last ten minutes, and a challenge for this operation signed by the key. ' +
      'Revokes all other device keys and ends all other sessions. Accounts with a wallet confirm with it ' +
      'instead.',
    access: 'jwt',
    signs: [],
    limit: 'wallet',
    ...OfKey,
    body: Proof,
    body_example: PROOF_EXAMPLE,
    answers: { 200: jsonAnswer('Device key active.', DeviceKey, EXAMPLE) },
    problems: [...PROOF_PROBLEMS, 'auth.sign_in_required', 'auth.not_found', 'auth.identity_conflict'],
  }),
  rename: operation({
    id: 'accounts.deviceKeys.rename',
    method: 'PATCH',
    path: '/api/auth/device-keys/{id}',
    summary: 'Rename a device key',
    description: 'Changes the name under which the key is listed.',
    access: 'sensitive',
    signs: ['name'],
    ...OfKey,
    body: Type.Object({ name: Name }, { additionalProperties: false }),
    body_example: { name: 'Laptop' },
    answers: { 200: jsonAnswer('Device key renamed.', DeviceKey, { ...EXAMPLE, name: 'Laptop' }) },
    problems: ['auth.not_found'],
  }),
  reject: operation({
    id: 'accounts.deviceKeys.reject',
    method: 'POST',
    path: '/api/auth/device-keys/{id}/reject',
    summary: 'Reject a waiting device key',
    description: 'Deletes a key that waits. Needs no signature, so that an owner without a device can stop it.',
    access: 'jwt',
    ...OfKey,
    answers: { 200: deleted('Device key rejected.') },
    problems: ['auth.not_found'],
  }),
  revoke: operation({
    id: 'accounts.deviceKeys.revoke',
    method: 'DELETE',
    path: '/api/auth/device-keys/{id}',
    summary: 'Revoke a device key',
    description: 'The key confirms nothing from then on. Sessions of the device are kept; end them separately.',
    access: 'sensitive',
    ...OfKey,
    answers: { 200: deleted('Device key revoked.') },
    problems: ['auth.not_found'],
  }),
};

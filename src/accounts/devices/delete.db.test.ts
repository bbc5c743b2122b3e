import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eachDatabase } from '#test/databases.ts';
import { emailStand, OTHER_PASSWORD, PASSWORD } from '#test/email-stand.ts';
import { MOST_DEVICES } from './devices.ts';

const ADA = 'ada@example.org';

eachDatabase('devices of an account', (open) => {
  const remembering = async () => {
    const stand = await emailStand(await open());
    const { access_token: token } = await stand.open(ADA);
    const remember = async () =>
      (await stand.post('/login', { email: ADA, password: PASSWORD, remember_device: true })).body as unknown as {
        device_token: string;
      };
    const list = async () =>
      (await stand.ask('GET', '/api/auth/devices', { token })).body as unknown as { items: { id: string }[] };
    const isKnown = async (device_token: string): Promise<boolean> => {
      for (let times = 0; times < 12; times++) await stand.login(ADA, OTHER_PASSWORD);
      return (await stand.post('/login', { email: ADA, password: PASSWORD, device_token })).status === 200;
    };
    return { stand, token, remember, list, isKnown };
  };

  test('200: the deleted device is no longer recognized; 404: unknown device', async () => {
    const { stand, token, remember, list, isKnown } = await remembering();
    const { device_token } = await remember();
    assert.equal(await isKnown(device_token), true);
    const [device = { id: '' }] = (await list()).items;
    assert.equal((await stand.ask('DELETE', `/api/auth/devices/${device.id}`, { token })).status, 200);
    assert.equal(await isKnown(device_token), false);
    const gone = await stand.ask('DELETE', `/api/auth/devices/${device.id}`, { token });
    assert.deepEqual([gone.status, gone.body.code, gone.body.reason], [404, 'auth.not_found', 'device']);
  });

  test('the most recently used devices are kept, for 180 days after their last use', async () => {
    const { stand, remember, list, isKnown } = await remembering();
    const { device_token: first } = await remember();
    for (let count = 0; count < MOST_DEVICES; count++) {
      stand.clock.ms += 1_000;
      await remember();
    }
    assert.equal((await list()).items.length, MOST_DEVICES);
    assert.equal(await isKnown(first), false);
    stand.clock.ms += 3 * 3_600_000;
    const { device_token: last } = await remember();
    stand.clock.ms += 181 * 86_400_000;
    assert.equal(await isKnown(last), false);
  });

  test('a password reset deletes all devices', async () => {
    const { stand, remember, isKnown } = await remembering();
    const { device_token } = await remember();
    await stand.post('/reset/request', { email: ADA });
    const token = await stand.mailed('reset');
    assert.equal((await stand.post('/reset', { token, password: PASSWORD })).status, 200);
    assert.equal(await isKnown(device_token), false);
  });
});

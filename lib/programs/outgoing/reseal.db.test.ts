import { expect, it, vi } from 'vitest';
import { openProcess } from '#lib/testing/database.ts';
import { openPrograms } from '../testing/program.ts';

const [OLD_KEY, NEW_KEY] = ['d'.repeat(32), 'e'.repeat(32)];

it('every secret that still signs is sealed with the new key, so that the old one can be removed', async () => {
  const programs = await openPrograms();
  const { merchantId, owner } = programs.merchant;
  const { setEndpoint, rotateSecret } = await import('./endpoint.ts');
  const person = programs.merchant.person('owner');
  const first = (await setEndpoint(person, 'http://127.0.0.1:9/hook')).secret!;
  const second = (await rotateSecret(person)).secret;
  const third = (await rotateSecret(person)).secret;

  vi.stubEnv('DATA_KEY', `${NEW_KEY},${OLD_KEY}`);
  const worker = await openProcess('dashboard_worker');
  await (await import('./reseal.ts')).resealEndpoint(merchantId);

  vi.stubEnv('DATA_KEY', NEW_KEY);
  vi.resetModules();
  const { openSecrets } = await import('./secret.ts');
  const {
    rows: [row],
  } = await owner.query<Record<'now' | 'former', Buffer>>(
    `SELECT secret_sealed AS now, old_secret_sealed AS former FROM api_endpoints
      WHERE merchant_id = $1`,
    [merchantId],
  );
  expect(openSecrets(merchantId, row!.now)).toEqual([third]);
  expect(openSecrets(merchantId, row!.former)).toEqual([second, first]);
  await worker.db.disconnect();
  await programs.close();
});

import { expect, it, vi } from 'vitest';
import { openProcess } from '#lib/testing/database.ts';
import { openPrograms } from '../testing/program.ts';

const [OLD_KEY, NEW_KEY] = ['d'.repeat(32), 'e'.repeat(32)];

it('each secret that still signs keeps its end under the new key, so that the old key can be removed', async () => {
  const programs = await openPrograms();
  const { merchantId, owner } = programs.merchant;
  const { setEndpoint, rotateSecret } = await import('./endpoint.ts');
  const person = programs.merchant.person('owner');
  const first = (await setEndpoint(person, 'http://127.0.0.1:9/hook')).secret!;
  const second = (await rotateSecret(person)).secret;
  const third = (await rotateSecret(person)).secret;
  // The first one was replaced some hours before the second one.
  const inAnHour = Date.now() + 3_600_000;
  const ends = [inAnHour + 7_200_000, inAnHour] as const;
  const { sealFormer } = await import('./secret.ts');
  await owner.query(
    'UPDATE api_endpoints SET old_secret_sealed = $2, old_until = $3 WHERE merchant_id = $1',
    [
      merchantId,
      sealFormer(merchantId, [
        { secret: second, until: ends[0] },
        { secret: first, until: ends[1] },
      ]),
      new Date(ends[0]),
    ],
  );

  vi.stubEnv('DATA_KEY', `${NEW_KEY},${OLD_KEY}`);
  const worker = await openProcess('dashboard_worker');
  await (await import('./reseal.ts')).resealEndpoint(merchantId);

  vi.stubEnv('DATA_KEY', NEW_KEY);
  vi.resetModules();
  const { openFormer, openSecrets } = await import('./secret.ts');
  const {
    rows: [row],
  } = await owner.query<Record<'now' | 'former', Buffer> & { until: Date }>(
    `SELECT secret_sealed AS now, old_secret_sealed AS former, old_until AS until
      FROM api_endpoints WHERE merchant_id = $1`,
    [merchantId],
  );
  expect(openSecrets(merchantId, row!.now)).toEqual([third]);
  expect(openFormer(merchantId, row!.former, row!.until)).toEqual([
    { secret: second, until: ends[0] },
    { secret: first, until: ends[1] },
  ]);
  await worker.db.disconnect();
  await programs.close();
});

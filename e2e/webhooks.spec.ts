import { expect, test } from './story.ts';
import { intentsTo, movementCount, rows } from './database.ts';
import { expectPaidOnce, expectState, send, wanted } from './payout.ts';
import { sandbox } from './sandbox.ts';
import { doorUrl, forged, kept, postWebhook } from './webhook-door.ts';

const KIB = 1024;

test('a wrong key, a wrong channel and a wrong method are answered like any unknown address', async () => {
  const body = forged('P-nobody', 1);
  expect((await postWebhook(body, doorUrl('wallet', 'x'.repeat(43)))).status).toBe(404);
  expect((await postWebhook(body, doorUrl('wallet').replace('/wallet', '/transfer'))).status).toBe(
    404,
  );
  expect((await fetch(doorUrl())).status).toBe(405);
  expect(await kept(body)).toBeUndefined();
});

test('an oversized notice is refused and not kept, whether it names its size or not', async () => {
  const big = forged('P-big', 1, { filler: 'x'.repeat(64 * KIB) });
  expect((await postWebhook(big)).status).toBe(413);
  const stream = new ReadableStream({
    start(controller) {
      for (let sent = 0; sent < 64; sent++)
        controller.enqueue(new TextEncoder().encode('x'.repeat(KIB)));
      controller.close();
    },
  });
  const streamed = await fetch(doorUrl(), {
    method: 'POST',
    body: stream,
    duplex: 'half',
  } as RequestInit).catch(() => null);
  expect([413, undefined]).toContain(streamed?.status);
  expect(
    await rows(`SELECT 1 FROM notices WHERE body LIKE '%P-big%' OR body LIKE 'xxxxxxxxxx%'`),
  ).toEqual([]);
});

test('an invalid or unrelated webhook is answered 200, kept once, counted, and changes nothing', async ({
  sitDown,
}) => {
  const stamp = `story-${Date.now()}`;
  const bodies: [body: string, effect: string][] = [
    [`not JSON at all ${stamp}`, 'not_understood'],
    [`{"${'['.repeat(2_000)}${stamp}`, 'not_understood'],
    [JSON.stringify([stamp, null]), 'not_understood'],
    [`"\\u0000${stamp}"`, 'not_understood'],
    [forged(`P-${stamp}`, 1), 'no_such_payout'],
    [forged(`'; DROP TABLE notices; -- ${stamp}`, 5), 'no_such_payout'],
  ];
  const movements = await movementCount();
  for (const [body, effect] of bodies) {
    for (let times = 0; times < 3; times++) expect((await postWebhook(body)).status).toBe(200);
    expect(await kept(body), body.slice(0, 60)).toMatchObject({
      seen: 3,
      effect,
      movement_id: null,
    });
  }
  expect(await movementCount()).toBe(movements);

  const { page, say } = await sitDown('ayse');
  await page.goto('/webhooks');
  const table = page.getByRole('table', { name: say('webhooks', 'caption') });
  const unknown = table.getByRole('row').filter({ hasText: `P-${stamp}` });
  await expect(unknown).toContainText(say('webhooks', 'effects.no_such_payout'));
  await expect(unknown).toContainText('×3');
  await unknown.getByRole('link').first().click();
  await expect(page.getByText(say('webhooks', 'effectTexts.no_such_payout'))).toBeVisible();
  await page.getByText(say('webhooks', 'detail.raw'), { exact: true }).click();
  // The page shows a stranger's text as text, whatever it contains.
  await expect(page.locator('pre')).toContainText('<img src=x onerror=alert(1)>');
});

test('a forged notice, whatever it claims, changes no state and no money; it only makes us ask', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  await sandbox.bankMode('manual');
  const want = wanted();
  const id = await send(desk, want);
  await expectState(desk, 'PENDING');
  const { ext_id: extId } = (await intentsTo(want.payee.iban))[0]!;
  for (const claimed of [1, 2, 4, 3, 99])
    expect(
      (
        await postWebhook(
          forged(extId, claimed, { amount: 1, to_iban: 'TR000000000000000000000000' }),
        )
      ).status,
    ).toBe(200);
  // The webhooks made the worker query the provider, which answered that the bank still has the
  // payout.
  await expect
    .poll(
      async () => rows(`SELECT 1 FROM evidence WHERE movement_id = $1 AND kind = 'read'`, [id]),
      { timeout: 20_000 },
    )
    .not.toHaveLength(0);
  // A payout that the bank has not answered for a while is in MANUAL_REVIEW by our own clock.
  expect(await intentsTo(want.payee.iban)).toMatchObject([
    { state: expect.stringMatching(/^(PENDING|MANUAL_REVIEW)$/), returned: 'NONE' },
  ]);
  await expect(page.getByRole('article').getByText(say('payout', 'sources.explain'))).toBeVisible();
  await sandbox.bankDoes(want.payee.iban, 'complete');
  await expectState(desk, 'COMPLETED', 30_000);
  await expectPaidOnce(want);
});

test('a forged return is called announced, never returned, and paying again stays locked', async ({
  sitDown,
}) => {
  const desk = await sitDown('ayse');
  const { page, say } = desk;
  const want = wanted();
  await send(desk, want);
  await expectState(desk, 'COMPLETED');
  const { ext_id: extId } = (await intentsTo(want.payee.iban))[0]!;
  await postWebhook(forged(extId, 5));
  await expectState(desk, 'RETURN_REPORTED');
  await expect(
    page.getByText(
      'Hesap hareketlerinde iade görülene kadar para dönmüş sayılmaz ve yeniden ödenemez.',
    ),
  ).toBeVisible();
  await page.getByRole('button', { name: say('payout', 'actions.ask') }).click();
  await expect
    .poll(
      async () =>
        rows(
          `SELECT 1 FROM evidence e JOIN movements m ON m.id = e.movement_id WHERE m.ext_id = $1
            AND e.kind = 'ledger' AND e.at > m.returned_at`,
          [extId],
        ),
      { timeout: 20_000 },
    )
    .not.toHaveLength(0);
  await expectState(desk, 'RETURN_REPORTED');
  expect(await intentsTo(want.payee.iban)).toMatchObject([
    { state: 'COMPLETED', returned: 'REPORTED' },
  ]);
  await expect(
    page
      .getByRole('article')
      .getByRole('link', { name: say('payout', 'actions.payAgainReturned'), exact: true }),
  ).toHaveCount(0);
  const address = `/payouts/new?retry_of=${page.url().slice(-36)}`;
  await page.goto(address);
  await expect(page.getByText(say('new-payout', 'again.alive'))).toBeVisible();
  await expect(page.getByRole('button', { name: say('new-payout', 'review.go') })).toHaveCount(0);
});

test('a notice that comes again and again is listed once, and replaying it moves nothing', async ({
  sitDown,
}) => {
  const desk = await sitDown('selin');
  const { page, say } = desk;
  await sandbox.noticeMode({ duplicate: true });
  const want = wanted();
  await send(desk, want);
  await expectState(desk, 'COMPLETED');
  const { ext_id: extId, id } = (await intentsTo(want.payee.iban))[0]!;
  await expect
    .poll(async () =>
      (await rows<{ seen: number }>('SELECT seen FROM notices WHERE ext_id = $1', [extId])).map(
        ({ seen }) => seen > 1,
      ),
    )
    .toEqual([true]);
  const [genuine] = await rows<{ id: string; body: string; seen: number }>(
    'SELECT id::text, body, seen FROM notices WHERE ext_id = $1',
    [extId],
  );
  // An eavesdropper sends the webhook again, much later.
  await postWebhook(genuine!.body);
  await page.goto(`/webhooks?q=${extId}`);
  const row = page
    .getByRole('table', { name: say('webhooks', 'caption') })
    .getByRole('row')
    .filter({ hasText: want.payee.name });
  await expect(row).toHaveCount(1);
  await expect(row).toContainText(`×${genuine!.seen + 1}`);
  await expect(row).toContainText(say('webhooks', 'effects.asked_provider'));

  // The owner replays the webhook through our own handler: an audit entry is written, and no money
  // moves.
  await row.getByRole('link').first().click();
  await page.getByRole('button', { name: say('webhooks', 'detail.replay'), exact: true }).click();
  await expect(page.getByText(say('webhooks', 'detail.replayed'))).toBeVisible();
  expect(
    await rows(`SELECT 1 FROM audit_entries WHERE action = 'notice.replayed' AND subject = $1`, [
      `notice:${genuine!.id}`,
    ]),
  ).toHaveLength(1);
  expect(await intentsTo(want.payee.iban)).toMatchObject([
    { id, state: 'COMPLETED', returned: 'NONE', sends: 1 },
  ]);
  await expectPaidOnce(want);
});

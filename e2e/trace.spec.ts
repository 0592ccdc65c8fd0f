import { startOtlpReceiver } from '#lib/testing/otlp-receiver.ts';
import { rows } from './database.ts';
import { expectState, send, wanted } from './payout.ts';
import { expect, test } from './story.ts';
import { metricsPort, otlpUrl } from './surroundings.ts';

/** What leaves the product for the eyes of operators, while a person pays in a browser. */

const PHONE = '5321239876';
const MAIL = 'kanarya@deneme.example';

test('one trace leads from the press in the browser to the provider and back, without personal data', async ({
  sitDown,
}) => {
  const receiver = await startOtlpReceiver(Number(otlpUrl().port));
  try {
    const want = wanted({ amountMinor: 7_654_300, description: `Fatura ${PHONE} ${MAIL}` });
    const desk = await sitDown('ayse');
    const id = await send(desk, want);
    await expectState(desk, 'COMPLETED', 30_000);
    const traceId = id.replaceAll('-', '');
    const ofTrace = () => receiver.spans().filter((span) => span.traceId === traceId);
    const names = () => new Set(ofTrace().map(({ service, name }) => `${service} ${name}`));
    const expected = [
      'dashboard-web movement',
      'dashboard-web press',
      'dashboard-web webhook',
      'dashboard-worker worker.step',
      'dashboard-worker sendPayout',
      'dashboard-worker provider request',
    ];
    await expect
      .poll(() => expected.filter((name) => !names().has(name)), { timeout: 30_000 })
      .toEqual([]);
    const recorded = () => receiver.records().filter((record) => record.traceId === traceId);
    await expect
      .poll(() => recorded().map(({ body }) => body), { timeout: 30_000 })
      .toContain('movement');
    const [movement] = await rows<{ state: string }>('SELECT state FROM movements WHERE id = $1', [
      id,
    ]);
    expect(movement!.state).toBe('COMPLETED');
    const press = ofTrace().find(({ name }) => name === 'press');
    expect(press!.events).toContain('movement.submitted');
    // Each step of the worker is a span of its own, and leaves some time after the step.
    await expect
      .poll(() => ofTrace().flatMap(({ events }) => events), { timeout: 30_000 })
      .toEqual(expect.arrayContaining(['movement.answer', 'movement.read']));
    const texts = await Promise.all(
      [metricsPort(), metricsPort() + 1].map(async (port) =>
        (await fetch(`http://127.0.0.1:${port}/metrics`)).text(),
      ),
    );
    expect(texts[0], 'what pages ask of providers is counted in their web').toContain(
      'dashboard_provider_requests_total{provider="wallet"',
    );
    const everything = [Buffer.concat(receiver.bodies).toString('latin1'), ...texts];
    const { payee } = want;
    const forbidden = [payee.iban, payee.taxNumber, PHONE, MAIL, 'ayse@'];
    for (const text of [...forbidden, Buffer.from(payee.name).toString('latin1')])
      for (const whole of everything) expect(whole.includes(text), text).toBe(false);
    // As a number of its own: longer numbers and ids may have these digits in them.
    const amount = /(?<![\w.])76543(?:00|[.,]00)?(?![\w.])/;
    for (const whole of everything) expect(whole, 'the amount').not.toMatch(amount);
  } finally {
    receiver.close();
  }
});

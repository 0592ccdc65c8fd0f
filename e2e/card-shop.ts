import { randomUUID } from 'node:crypto';
import { expect, type Desk } from './story.ts';
import { Gateway, type Order } from './independent/gateway.ts';
import { SANDBOX_URL } from './surroundings.ts';

/** The merchant's own web shop, which takes payments outside the product. */

export const CARD = {
  number: '4508034508034509',
  holder: 'Elif Şahin',
  month: '12',
  year: '2031',
  cvv: '000',
};

export const order = (total: number): Order => ({
  invoice: `DÜKKAN-${randomUUID().slice(0, 8)}`,
  total,
  preauthorize: true,
  saleHook: 'sale_hook',
});

export async function shop(): Promise<Gateway> {
  const { card } = (await (await fetch(`${SANDBOX_URL}/sandbox/credentials`)).json()) as {
    card: { app_id: string; app_secret: string; merchant_key: string };
  };
  const gateway = new Gateway(`${SANDBOX_URL}/card`, {
    appId: card.app_id,
    appSecret: card.app_secret,
    merchantKey: card.merchant_key,
  });
  await gateway.signIn();
  return gateway;
}

/** Reloads the page until the worker has stored the row. */
export async function expectRow(
  { page }: Desk,
  address: string,
  name: string,
  words: string,
): Promise<void> {
  await expect(async () => {
    await page.goto(address);
    await expect(page.getByRole('row').filter({ hasText: name })).toContainText(words, {
      timeout: 1_000,
    });
  }).toPass({ timeout: 60_000 });
}

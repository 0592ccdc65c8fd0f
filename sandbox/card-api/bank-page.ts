import type { Call } from '../routes.ts';
import { minor, num, text } from '../store.ts';
import type { Row } from '../store.ts';
import type { Answer } from '../wallet-api/answer.ts';
import type { World } from '../world.ts';
import { charge, decline } from './charge.ts';
import { readForm, textOf } from './fields.ts';
import { amountText, changeOrder, dataOf, orderById } from './orders.ts';
import { escapeHtml, page } from './page.ts';
import { returnBrowser } from './redirect.ts';
import { resultFields } from './result.ts';
import { MERCHANT } from '../seed/merchant.ts';
import { sameText } from './token.ts';

/**
 * The issuing bank's page: the buyer types the code from the SMS, may give up, and has limited time
 * and tries. Then the browser returns to the merchant.
 */

const MOST_WRONG = 3;
/** payment/complete must arrive within this time after the verification (published). */
export const COMPLETION_MS = 15 * 60_000;

const WORDS = {
  tr: {
    title: 'Ödeme doğrulama',
    hint: 'Telefonunuza gelen kodu girin.',
    shop: 'Üye işyeri',
    amount: 'Tutar',
    card: 'Kart',
    code: 'Doğrulama kodu',
    go: 'Onayla',
    give: 'Vazgeç',
    wrong: 'Kod yanlış. Kalan deneme:',
    none: 'Böyle bir doğrulama yok.',
  },
  en: {
    title: 'Confirm your payment',
    hint: 'Enter the code sent to your phone.',
    shop: 'Merchant',
    amount: 'Amount',
    card: 'Card',
    code: 'Code',
    go: 'Confirm',
    give: 'Cancel',
    wrong: 'Wrong code. Tries left:',
    none: 'There is no such confirmation.',
  },
} as const;

/** Bank code and text sent with code 41 when the bank step fails. */
const REASONS = {
  wrong: ['1D', 'Doğrulama kodu üç kez yanlış girildi'],
  gave_up: ['1C', 'Kart sahibi vazgeçti'],
  late: ['1T', 'Doğrulama süresi doldu'],
  unverified: ['1V', '3D doğrulaması başarısız'],
} as const;

/** Fails an order whose card was not verified on the bank's page. */
export function failBankStep(world: World, order: Row, why: keyof typeof REASONS, at: number): Row {
  const [code, words] = REASONS[why];
  return decline(
    world,
    changeOrder(world, order, { state: 'bank_step', code: 69, at, data: { mdStatus: '0' } }),
    41,
    at,
    { code, words },
  );
}

function back(world: World, order: Row): Answer {
  const data = dataOf(order);
  const good = order.state !== 'failed' && order.state !== 'cancelled';
  return returnBrowser(
    good ? data.returnUrl : data.cancelUrl,
    data.responseMethod,
    resultFields(world, order),
    String(num(order.code)),
  );
}

function form(order: Row, id: string, wrong: number): Answer {
  const data = dataOf(order);
  const words = WORDS[data.lang];
  const problem =
    wrong > 0 ? `<p class="problem" role="alert">${words.wrong} ${MOST_WRONG - wrong}</p>` : '';
  return page(
    words.title,
    `<p class="muted">${words.hint}</p>
<dl><dt>${words.shop}</dt><dd>${escapeHtml(MERCHANT.name)}</dd>
<dt>${words.amount}</dt><dd>${amountText(minor(order.total))} ${escapeHtml(text(order.currency))}</dd>
<dt>${words.card}</dt><dd>•••• ${escapeHtml(text(order.masked).slice(-4))}</dd></dl>
<form method="post" action="?id=${id}">${problem}<label for="sms_code">${words.code}</label>
<input id="sms_code" name="sms_code" autocomplete="one-time-code" inputmode="text" maxlength="10"
autofocus>
<button class="main" name="step" value="confirm">${words.go}</button>
<button name="step" value="give_up">${words.give}</button></form>`,
    {
      lang: data.lang,
      forms: [
        ...new Set([data.returnUrl, data.cancelUrl].map((address) => new URL(address).origin)),
      ],
    },
  );
}

/**
 * Verifies the card after the right code, then charges it, or waits for payment/complete when the
 * merchant completes the payment. The test card `fail_3d` is refused instead.
 */
function verified(world: World, order: Row, at: number): Row {
  const data = dataOf(order);
  if (data.card.behaviour === 'fail_3d') return failBankStep(world, order, 'unverified', at);
  const proven = changeOrder(world, order, {
    state: 'bank_step',
    code: 69,
    at,
    data: { mdStatus: '1' },
  });
  return data.byMerchant
    ? changeOrder(world, proven, {
        state: 'completion',
        code: 69,
        at,
        due: { at: at + COMPLETION_MS, what: 'completion' },
      })
    : charge(world, proven, at);
}

/**
 * Serves the bank's page: GET shows it, POST takes the code or the buyer's cancellation. Once the
 * order has left the bank step, the browser is sent back to the merchant.
 */
export function bankPage(world: World, call: Call): Answer {
  const id = new URLSearchParams(call.query).get('id') ?? '';
  const step = world.store.get('SELECT * FROM bank_steps WHERE id = ?', id);
  if (!step)
    return page(WORDS.en.title, `<p class="problem">${WORDS.tr.none} ${WORDS.en.none}</p>`, {
      lang: 'tr',
      status: 404,
    });
  const order = orderById(world, text(step.order_id));
  if (order.state !== 'bank_step') return back(world, order);
  if (call.method !== 'POST') return form(order, id, 0);
  const at = world.clock.now();
  const fields = readForm(call.body);
  if (textOf(fields, 'step') === 'give_up')
    return back(world, failBankStep(world, order, 'gave_up', at));
  const { card } = dataOf(order);
  const guess = textOf(fields, 'sms_code');
  const right =
    card.behaviour !== 'late_3d' &&
    (sameText(guess, text(step.code)) || (card.code !== '' && sameText(guess, card.code)));
  if (right) return back(world, verified(world, order, at));
  const wrong = num(step.wrong) + 1;
  world.store.run('UPDATE bank_steps SET wrong = ? WHERE id = ?', wrong, id);
  return wrong >= MOST_WRONG
    ? back(world, failBankStep(world, order, 'wrong', at))
    : form(order, id, wrong);
}

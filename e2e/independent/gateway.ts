/**
 * A client of the card gateway, as a merchant's developer would write it from the published
 * interface alone. It must stay independent: it imports only Node's modules, and its caller passes
 * in the gateway's address.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

export type Keys = { appId: string; appSecret: string; merchantKey: string };
export type Fields = Record<string, unknown>;
export type Order = {
  invoice: string;
  total: number;
  currency?: string;
  installments?: number;
  preauthorize?: boolean;
  /** The name under which the merchant registered an address for sale webhooks. */
  saleHook?: string;
  /**
   * The order is charged every month, `count` times. `hook`: the registered name of the address for
   * its webhooks.
   */
  monthly?: {
    count: number;
    hook: string;
  };
};
export type Card = { number: string; holder: string; month: string; year: string; cvv: string };
export type Buyer = { number: number; name: string; email: string; phone: string };
/**
 * The buyer's return addresses, and the method of the return; the gateway chooses it when absent.
 */
export type Ends = { done: string; failed: string; by?: 'GET' | 'POST' };
/** Fields that a browser has to post. */
export type Form = { action: string; fields: Record<string, string> };

const SUCCESS = 100;

/** The gateway's response does not match its hash. */
export class Untrusted extends Error {}
/** The gateway refused the request, with this code. */
export class Refused extends Error {
  readonly code: number;
  constructor(code: number, words: string) {
    super(`${code}: ${words}`);
    this.code = code;
  }
}

function keyOf(secret: string, salt: string): string {
  const password = createHash('sha1').update(secret).digest('hex');
  return createHash('sha256')
    .update(password + salt)
    .digest('hex')
    .slice(0, 32);
}

/**
 * Makes a hash_key: the values joined by pipes, encrypted by AES-256-CBC, as `iv:salt:text` in
 * which each slash is written as two underscores.
 */
export function seal(values: readonly unknown[], secret: string): string {
  const iv = randomBytes(8).toString('hex');
  const salt = randomBytes(2).toString('hex');
  const cipher = createCipheriv('aes-256-cbc', keyOf(secret, salt), iv);
  const text = cipher.update(values.join('|'), 'utf8', 'base64') + cipher.final('base64');
  return `${iv}:${salt}:${text}`.replaceAll('/', '__');
}

export function unseal(hash: string, secret: string): string[] {
  const [iv = '', salt = '', text = ''] = hash.replaceAll('__', '/').split(':');
  try {
    const decipher = createDecipheriv('aes-256-cbc', keyOf(secret, salt), iv);
    return (decipher.update(text, 'base64', 'utf8') + decipher.final('utf8')).split('|');
  } catch {
    throw new Untrusted('a hash that cannot be opened');
  }
}

export class Gateway {
  readonly #base: string;
  readonly #keys: Keys;
  #token = '';

  /** `base`: the payment service host of the gateway's manual. */
  constructor(base: string, keys: Keys) {
    this.#base = base;
    this.#keys = keys;
  }

  /**
   * Requests a bearer token and keeps it; returns how the merchant may take payments (is_3d) and
   * until when the token is valid.
   */
  async signIn(): Promise<{ is_3d: number; expires_at: string }> {
    const { data } = await this.#post('token', {
      app_id: this.#keys.appId,
      app_secret: this.#keys.appSecret,
    });
    const { token, ...rest } = data as { token: string; is_3d: number; expires_at: string };
    this.#token = token;
    return rest;
  }

  /** Pays an order without a bank page; the response's hash is compared with the order. */
  async pay2D(order: Order, card: Card): Promise<Fields> {
    const { data } = await this.#post('paySmart2D', { ...this.#order(order), ...cardFields(card) });
    return this.#proven(order, data as Fields);
  }

  /** A form that pays an order through the bank page: a browser has to post it. */
  form3D(order: Order, card: Card, ends: Ends): Form {
    return this.#form('paySmart3D', { ...this.#order(order), ...cardFields(card) }, ends);
  }

  /** A form that pays an order through the bank page with a saved card. */
  formToken(order: Order, cardToken: string, buyer: Buyer, ends: Ends): Form {
    const customer = {
      card_token: cardToken,
      customer_number: buyer.number,
      customer_name: buyer.name,
      customer_email: buyer.email,
      customer_phone: buyer.phone,
    };
    return this.#form('payByCardToken', { ...this.#order(order), ...customer }, ends);
  }

  /**
   * Checks the fields that a browser brought back: their hash must match the fields and the order.
   */
  returned(order: Order, fields: Fields): Fields {
    return this.#proven(order, fields);
  }

  /**
   * Queries the order's record at the gateway, which decides every payment; what a browser brought
   * does not.
   */
  async check(invoice: string): Promise<Fields> {
    return this.#ask('checkstatus', {
      merchant_key: this.#keys.merchantKey,
      invoice_id: invoice,
      hash_key: this.#seal(invoice, this.#keys.merchantKey),
    });
  }

  /** Captures or voids an authorization. */
  async confirm(invoice: string, what: 'capture' | 'release'): Promise<Fields> {
    const status = what === 'capture' ? 1 : 2;
    return this.#post('confirmPayment', {
      merchant_key: this.#keys.merchantKey,
      invoice_id: invoice,
      status,
      hash_key: this.#seal(this.#keys.merchantKey, invoice, status),
    });
  }

  async refund(invoice: string, amount: number): Promise<Fields> {
    const { appId: app_id, appSecret: app_secret, merchantKey: merchant_key } = this.#keys;
    return this.#post('refund', {
      app_id,
      app_secret,
      merchant_key,
      invoice_id: invoice,
      amount,
      hash_key: this.#seal(amount, invoice, merchant_key),
    });
  }

  async saveCard(buyer: Buyer, card: Card): Promise<string> {
    const { merchantKey } = this.#keys;
    const answer = await this.#post('saveCard', {
      merchant_key: merchantKey,
      customer_number: buyer.number,
      card_holder_name: card.holder,
      card_number: card.number,
      expiry_month: card.month,
      expiry_year: card.year,
      customer_name: buyer.name,
      customer_email: buyer.email,
      customer_phone: buyer.phone,
      hash_key: this.#seal(
        merchantKey,
        buyer.number,
        card.holder,
        card.number,
        card.month,
        card.year,
      ),
    });
    return answer['card_token'] as string;
  }

  async savedCards(buyer: Buyer): Promise<Fields[]> {
    const query = new URLSearchParams({
      merchant_key: this.#keys.merchantKey,
      customer_number: String(buyer.number),
    });
    const answer = await fetch(`${this.#base}/ccpayment/api/getCardTokens?${query.toString()}`, {
      headers: this.#headers(),
    });
    return accept((await answer.json()) as Fields)['data'] as Fields[];
  }

  async deleteCard(buyer: Buyer, cardToken: string): Promise<void> {
    await this.#post('deleteCard', {
      merchant_key: this.#keys.merchantKey,
      customer_number: buyer.number,
      card_token: cardToken,
      hash_key: this.#seal(this.#keys.merchantKey, buyer.number, cardToken),
    });
  }

  #order({
    invoice,
    total,
    currency = 'TRY',
    installments = 1,
    preauthorize = false,
    saleHook,
    monthly,
  }: Order): Fields {
    return {
      currency_code: currency,
      installments_number: installments,
      invoice_id: invoice,
      invoice_description: `Order ${invoice}`,
      name: 'Elif',
      surname: 'Şahin',
      total,
      merchant_key: this.#keys.merchantKey,
      items: [{ name: 'Kumaş', price: total, quantity: 1, description: '3 m' }],
      hash_key: this.#seal(total, installments, currency, this.#keys.merchantKey, invoice),
      ...(preauthorize ? { transaction_type: 'PreAuth' } : {}),
      ...(saleHook === undefined ? {} : { sale_web_hook_key: saleHook }),
      ...(monthly === undefined
        ? {}
        : {
            order_type: 1,
            recurring_payment_number: monthly.count,
            recurring_payment_cycle: 'M',
            recurring_payment_interval: 1,
            recurring_web_hook_key: monthly.hook,
          }),
    };
  }

  #form(operation: string, fields: Fields, { done, failed, by }: Ends): Form {
    const all: Fields = {
      ...fields,
      return_url: done,
      cancel_url: failed,
      ...(by ? { response_method: by } : {}),
    };
    const text = Object.entries(all).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]);
    return {
      action: `${this.#base}/ccpayment/api/${operation}`,
      fields: Object.fromEntries(text) as Record<string, string>,
    };
  }

  /**
   * Checks a hash of status, total, invoice_id, order_id and currency_code: it must match the
   * fields beside it, and the order. Throws Untrusted when it does not.
   */
  #proven(order: Order, fields: Fields): Fields {
    const [status, total, invoice, orderId, currency] = unseal(
      String(fields['hash_key'] ?? ''),
      this.#keys.appSecret,
    );
    const agrees =
      status === String(fields['payment_status']) &&
      invoice === fields['invoice_id'] &&
      orderId === fields['order_no'] &&
      invoice === order.invoice &&
      Number(total) === order.total &&
      currency === (order.currency ?? 'TRY');
    if (!agrees)
      throw new Untrusted(`the hash of ${order.invoice} says something else than the answer`);
    return fields;
  }

  #seal(...values: unknown[]): string {
    return seal(values, this.#keys.appSecret);
  }

  #headers(): Record<string, string> {
    return {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(this.#token === '' ? {} : { authorization: `Bearer ${this.#token}` }),
    };
  }

  async #post(operation: string, body: Fields): Promise<Fields> {
    return accept(await this.#ask(operation, body));
  }

  async #ask(operation: string, body: Fields): Promise<Fields> {
    const answer = await fetch(`${this.#base}/ccpayment/api/${operation}`, {
      method: 'POST',
      headers: this.#headers(),
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Fields;
  }
}

const cardFields = (card: Card): Fields => ({
  cc_holder_name: card.holder,
  cc_no: card.number,
  expiry_month: card.month,
  expiry_year: card.year,
  cvv: card.cvv,
});

function accept(body: Fields): Fields {
  if (Number(body['status_code']) !== SUCCESS)
    throw new Refused(Number(body['status_code']), String(body['status_description']));
  return body;
}

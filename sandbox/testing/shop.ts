import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { ApiResponse, Sandbox } from './sandbox.ts';

/**
 * A merchant's shop that calls the card gateway, written from the contract. It computes the hash by
 * its own code, so that an error in one of the two implementations is found.
 */

export const VISA = '4508034508034509';
export const MASTERCARD = '5406675406675403';
export const RETURN = 'https://shop.test/done?cart=7';
export const CANCEL = 'https://shop.test/failed';

const keyOf = (secret: string, salt: string): string =>
  createHash('sha256')
    .update(createHash('sha1').update(secret).digest('hex') + salt)
    .digest('hex')
    .slice(0, 32);

export function seal(parts: readonly string[], secret: string): string {
  const [iv, salt] = [randomBytes(8).toString('hex'), randomBytes(2).toString('hex')];
  const cipher = createCipheriv('aes-256-cbc', keyOf(secret, salt), iv);
  return [iv, salt, cipher.update(parts.join('|'), 'utf8', 'base64') + cipher.final('base64')]
    .join(':')
    .replaceAll('/', '__');
}

export function unseal(hash: string, secret: string): string[] {
  const [iv = '', salt = '', text = ''] = hash.replaceAll('__', '/').split(':');
  const decipher = createDecipheriv('aes-256-cbc', keyOf(secret, salt), iv);
  return (decipher.update(text, 'base64', 'utf8') + decipher.final('utf8')).split('|');
}

type Row = Record<string, unknown>;
let nextInvoice = 1000;

export class Shop {
  readonly box: Sandbox;
  id = '';
  secret = '';
  key = '';
  token = '';

  constructor(box: Sandbox) {
    this.box = box;
  }

  async open(): Promise<this> {
    const { card } = (await this.box.get('credentials')) as { card: Record<string, string> };
    [this.id, this.secret, this.key] = [
      String(card.app_id),
      String(card.app_secret),
      String(card.merchant_key),
    ];
    await this.login();
    return this;
  }

  async login(): Promise<void> {
    const response = await this.box.raw('/card/ccpayment/api/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ app_id: this.id, app_secret: this.secret }),
    });
    this.token = String((response.json.data as Row).token);
  }

  readonly invoice = (): string => `INV-${(nextInvoice += 1)}`;

  /** Posts JSON with the token. */
  call(
    path: string,
    body: object | string,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    return this.box.raw(`/card/ccpayment/${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.token}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  /** Posts a form as a browser does. */
  form(
    path: string,
    fields: Record<string, unknown>,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> {
    const plain = Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        typeof value === 'object' ? JSON.stringify(value) : String(value),
      ]),
    );
    return this.box.raw(path.startsWith('/') ? path : `/card/ccpayment/${path}`, {
      method: 'POST',
      headers: { ...headers },
      body: new URLSearchParams(plain),
    });
  }

  readonly hash = (...parts: string[]): string => seal(parts, this.secret);

  /**
   * Makes a full order with its hash. A field that is changed later disagrees with the hash, unless
   * `sign` is called again.
   */
  order(fields: Row = {}): Row {
    const total = fields.total ?? 100.5;
    const body: Row = {
      cc_holder_name: 'Elif Şahin',
      cc_no: VISA,
      expiry_month: '12',
      expiry_year: '2030',
      cvv: '000',
      currency_code: 'TRY',
      installments_number: 1,
      invoice_id: this.invoice(),
      invoice_description: 'Sipariş',
      name: 'Elif',
      surname: 'Şahin',
      total,
      merchant_key: this.key,
      items: [{ name: 'Kumaş', price: total, quantity: 1, description: '3 m' }],
      ...fields,
    };
    return { ...body, hash_key: fields.hash_key ?? this.orderHash(body) };
  }

  orderHash(body: Row): string {
    return this.hash(
      String(body.total),
      String(body.installments_number),
      String(body.currency_code),
      String(body.merchant_key),
      String(body.invoice_id),
    );
  }

  pay(fields: Row = {}): Promise<ApiResponse> {
    return this.call('api/paySmart2D', this.order(fields));
  }

  /** Pays and returns the invoice id; throws when the order was not paid. */
  async paid(fields: Row = {}): Promise<string> {
    const order = this.order(fields);
    const response = await this.call('api/paySmart2D', order);
    if (response.json.status_code !== 100) throw new Error(`not paid: ${response.text}`);
    return String(order.invoice_id);
  }

  /** Posts the 3D form; the answer redirects to the bank's page, or back to the shop. */
  secure(fields: Row = {}): Promise<ApiResponse> {
    return this.form(
      'api/paySmart3D',
      this.order({ return_url: RETURN, cancel_url: CANCEL, ...fields }),
    );
  }

  check(invoice: string, more: Row = {}): Promise<ApiResponse> {
    return this.call('api/checkstatus', {
      merchant_key: this.key,
      invoice_id: invoice,
      hash_key: this.hash(invoice, this.key),
      ...more,
    });
  }

  confirm(invoice: string, more: Row = {}): Promise<ApiResponse> {
    const status = String(more.status ?? 1);
    return this.call('api/confirmPayment', {
      merchant_key: this.key,
      invoice_id: invoice,
      status: 1,
      hash_key: this.hash(this.key, invoice, status),
      ...more,
    });
  }

  refund(invoice: string, amount: unknown, more: Row = {}): Promise<ApiResponse> {
    return this.call('api/refund', {
      merchant_key: this.key,
      invoice_id: invoice,
      amount,
      hash_key: this.hash(String(amount ?? ''), invoice, this.key),
      ...more,
    });
  }

  /** Returns the newest code on the sandbox's phone. */
  async sms(): Promise<string> {
    return ((await this.box.get('messages')) as { code: string }[])[0]?.code ?? '';
  }

  /** Posts a code to the bank's page. */
  type(page: string, code: string, step = 'confirm'): Promise<ApiResponse> {
    return this.form(page, { sms_code: code, step });
  }

  /** Returns the result's fields in the query string of a redirect. */
  static back(response: ApiResponse): Record<string, string> {
    return Object.fromEntries(new URL(response.headers.get('location') ?? '').searchParams);
  }

  async money(query: string): Promise<{ kind: string; amount: string; currency: string }[]> {
    return (await this.box.get(`ledger?${query}`)) as {
      kind: string;
      amount: string;
      currency: string;
    }[];
  }

  set(settings: Row): Promise<Row> {
    return this.box.post('card/settings', settings);
  }
}

export const codeOf = (response: ApiResponse): unknown => response.json.status_code;

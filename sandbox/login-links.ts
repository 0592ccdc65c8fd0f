import { randomBytes } from 'node:crypto';
import { turkishTime } from './clock.ts';
import type { DplData } from './card-api/buyer-page.ts';
import { amountOf, readForm, textOf, wrongFields } from './card-api/fields.ts';
import type { Fields, Shape } from './card-api/fields.ts';
import { rawAmount } from './exact-json.ts';
import { CURRENCIES, answer, fail, loginError, personOf, readBody } from './login.ts';
import type { Call } from './routes.ts';
import { MERCHANT, MERCHANT_ID } from './seed/merchant.ts';
import { num, text } from './store.ts';
import type { Row } from './store.ts';
import { langOf } from './wallet-api/answer.ts';
import type { Answer, Lang } from './wallet-api/answer.ts';
import type { World } from './world.ts';

/**
 * The operations of payment links at the merchant login host (published, not in the contract):
 * create, send, list and view.
 */

const CREATE_SHAPE: Shape = {
  amount: ['n', 'amount'],
  currency: ['y', 'whole'],
  is_amount_set_by_user: ['y', 'flag'],
  payment_link_type: ['y', 'whole'],
  name_of_product: ['y', 'text'],
  description: ['n', 'text'],
};
/**
 * A link can be paid for a week (assumed): once, or up to MANY_USES times when it is made for many
 * payments.
 */
const LIFETIME_MS = 7 * 86_400_000;
const MANY_USES = 1_000_000;
const MOST_RECEIVERS = 20;
const USUAL_PAGE = 10;
const PREFIX = '/login/api/dpl/';

type Signed = { person: Row; lang: Lang };

/** Reads the fields of a multipart form; of a file only its name is kept. */
function readMultipart(call: Call): Fields {
  const boundary = /boundary="?([^";]+)"?/i.exec(call.headers['content-type'] ?? '')?.[1];
  const fields: Fields = Object.create(null) as Fields;
  if (boundary === undefined) return fields;
  for (const part of call.body.split(`--${boundary}`)) {
    const [, head = '', value = ''] = /^\r\n([\s\S]*?)\r\n\r\n([\s\S]*?)\r\n$/.exec(part) ?? [];
    const name = /\bname="([^"]*)"/i.exec(head)?.[1];
    if (name !== undefined) fields[name] = /\bfilename="([^"]*)"/i.exec(head)?.[1] ?? value;
  }
  return fields;
}

function stateOf(link: Row, now: number): string {
  return link.state === 'ACTIVE' && num(link.expires_at) <= now ? 'EXPIRED' : text(link.state);
}

function record(world: World, link: Row): object {
  const data = JSON.parse(text(link.data)) as DplData & { by: string; photo?: string };
  const [date, time] = turkishTime(num(link.expires_at)).split(' ');
  return {
    id: num(link.id),
    amount: rawAmount(amountOf({ amount: data.amount }, 'amount') ?? 0n),
    payment_method: 1,
    type: num(link.most_uses) === 1 ? 1 : 2,
    currency: data.currency,
    expire_date: date,
    expire_time: time,
    max_number_of_uses: num(link.most_uses),
    number_of_uses: num(link.uses),
    gsm: MERCHANT.phone,
    email: MERCHANT.email,
    photo: data.photo || null,
    distance_sale_status: 0,
    is_amount_set_by_user: data.open ? 1 : 0,
    name_of_product: data.product,
    merchant_id: MERCHANT_ID,
    created_by: Number(data.by.split(' ')[0]),
    created_by_name: data.by.split(' ').slice(1).join(' '),
    token: text(link.token),
    description: data.description,
    status: stateOf(link, world.clock.now()),
  };
}

const addressOf = (call: Call, link: Row): string =>
  `http://${call.headers.host ?? 'sandbox'}/card/pay?id=${text(link.token)}`;
const linkById = (world: World, id: string): Row | undefined =>
  world.store.get("SELECT * FROM pay_links WHERE kind = 'dpl' AND id = ?", Number(id) || 0);

function createLink(world: World, call: Call, { person, lang }: Signed): Answer {
  const fields = readMultipart(call);
  const currency = CURRENCIES.find((one) => String(one.id) === textOf(fields, 'currency'));
  const open = ['1', 'true'].includes(textOf(fields, 'is_amount_set_by_user'));
  const amount = amountOf(fields, 'amount');
  const type = textOf(fields, 'payment_link_type');
  if (
    wrongFields(fields, CREATE_SHAPE).length > 0 ||
    !currency ||
    (type !== '1' && type !== '2') ||
    (!open && (amount === null || amount <= 0n))
  )
    return fail(1, 'badBody', lang);
  const data = {
    amount: open ? '0' : textOf(fields, 'amount'),
    currency: currency.code,
    product: textOf(fields, 'name_of_product'),
    description: textOf(fields, 'description'),
    photo: textOf(fields, 'product_photo'),
    open,
    by: `${num(person.id)} ${text(person.first_name)} ${text(person.last_name)}`,
  };
  const now = world.clock.now();
  const { id } = world.store.run(
    `INSERT INTO pay_links (token, kind, order_id, state, most_uses, expires_at, created_at, data)
      VALUES (?, 'dpl', NULL, 'ACTIVE', ?, ?, ?, ?)`,
    randomBytes(12).toString('hex'),
    type === '1' ? 1 : MANY_USES,
    now + LIFETIME_MS,
    now,
    JSON.stringify(data),
  );
  const link = linkById(world, String(id));
  return link ? answer({ dpl: record(world, link) }, lang) : fail(1, 'badBody', lang);
}

/** Sends a link by e-mail or SMS; both appear on the sandbox's phone. */
function sendLink(world: World, call: Call, { lang }: Signed, field: 'email' | 'phone'): Answer {
  const fields = readBody(call.body);
  if (!fields) return loginError(400, 'unreadable');
  const receivers = fields[field];
  const link = linkById(world, textOf(fields, 'dpl_id'));
  const wrong = wrongFields(fields, { dpl_id: ['y', 'whole'], payment_link_type: ['y', 'whole'] });
  if (
    wrong.length > 0 ||
    !link ||
    !Array.isArray(receivers) ||
    receivers.length === 0 ||
    receivers.length > MOST_RECEIVERS ||
    !receivers.every((one) => typeof one === 'string' && one !== '')
  )
    return fail(1, 'badBody', lang);
  const address = addressOf(call, link);
  for (const to of receivers as string[])
    world.store.run(
      'INSERT INTO messages (phone, email, name, text, code, at) VALUES (?, ?, ?, ?, ?, ?)',
      field === 'phone' ? to : '',
      field === 'email' ? to : '',
      to,
      `${MERCHANT.name}: ${address}`,
      '',
      world.clock.now(),
    );
  return answer({ dpl: record(world, link), link: address }, lang);
}

/** Lists links by page, in the form of the login host's web framework. */
function listLinks(world: World, call: Call, { lang }: Signed, active: boolean): Answer {
  const query = readForm(call.query);
  const [limit, wanted] = ['page_limit', 'page'].map((name) =>
    /^[1-9]\d{0,3}$/.test(textOf(query, name)) ? Number(textOf(query, name)) : undefined,
  );
  const size = limit ?? USUAL_PAGE;
  const page = wanted ?? 1;
  const now = world.clock.now();
  const all = world.store
    .all("SELECT * FROM pay_links WHERE kind = 'dpl' ORDER BY id DESC")
    .filter((link) => (stateOf(link, now) === 'ACTIVE') === active);
  const rows = all.slice((page - 1) * size, page * size);
  const first = rows.length === 0 ? null : (page - 1) * size + 1;
  return answer(
    {
      current_page: page,
      data: rows.map((link) => record(world, link)),
      from: first,
      last_page: Math.max(1, Math.ceil(all.length / size)),
      per_page: size,
      to: first === null ? null : first + rows.length - 1,
      total: all.length,
    },
    lang,
  );
}

/**
 * Answers an operation of payment links; null when the path is not one of them. Each of them needs
 * the bearer token of verifysms.
 */
export function linkOperation(world: World, call: Call): Answer | null {
  if (!call.path.startsWith(PREFIX)) return null;
  const path = call.path.slice(PREFIX.length);
  const route = `${call.method} ${path}`;
  const details = /^GET details\/(\d+)$/.exec(route)?.[1];
  if (
    ![
      'POST create',
      'POST sendemail',
      'POST sendsms',
      'GET list/active',
      'GET list/passive',
    ].includes(route) &&
    details === undefined
  )
    return null;
  const lang = langOf(call.headers['app-lang'] ?? call.headers['accept-language']?.slice(0, 2));
  const person = personOf(world, call.headers);
  if (!person) return fail(30, 'noToken', lang, 401);
  const signed = { person, lang };
  if (route === 'POST create') return createLink(world, call, signed);
  if (route === 'POST sendemail') return sendLink(world, call, signed, 'email');
  if (route === 'POST sendsms') return sendLink(world, call, signed, 'phone');
  if (details === undefined) return listLinks(world, call, signed, route.endsWith('active'));
  const link = linkById(world, details);
  return link
    ? answer({ dpl: record(world, link), link: addressOf(call, link) }, lang)
    : fail(31, 'noLink', lang);
}

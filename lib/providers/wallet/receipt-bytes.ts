/**
 * The type of a receipt, decided by its bytes and never by the provider's `content_type`
 * (`contract`: both forms exist). Pure.
 */

const BYTES_MAX = 4 * 1024 * 1024;
const HEAD_CHARS = 2_048;

export type ReceiptBytes =
  | { kind: 'pdf' | 'html'; bytes: Uint8Array }
  | { kind: 'unusable'; why: 'empty' | 'too_large' | 'format' };

const UNUSABLE: ReceiptBytes = { kind: 'unusable', why: 'format' };

/**
 * `data` is a base64 file or HTML text. HTML is returned as UTF-8 from either encoding. Standalone
 * XML, SVG, images and scripts are refused.
 */
export function receiptBytes(data: string): ReceiptBytes {
  const text = data.replace(/^\uFEFF/, '').trim();
  if (text === '') return { kind: 'unusable', why: 'empty' };
  if (text.length > BYTES_MAX * 1.5) return { kind: 'unusable', why: 'too_large' };
  const packed = base64Bytes(text);
  if (packed !== null) return ofFile(packed);
  return isHtml(text) ? within(new TextEncoder().encode(text), 'html') : UNUSABLE;
}

function base64Bytes(text: string): Uint8Array | null {
  const bare = text
    .replace(/^data:[\w.+/-]{1,100};base64,/i, '')
    .replace(/\s+/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(bare) || bare.replace(/=+$/, '').length % 4 === 1) return null;
  return Uint8Array.from(atob(bare.replace(/=+$/, '')), (char) => char.charCodeAt(0));
}

function ofFile(bytes: Uint8Array): ReceiptBytes {
  if (bytes.length === 0) return { kind: 'unusable', why: 'empty' };
  if (String.fromCharCode(...bytes.subarray(0, 5)) === '%PDF-') return within(bytes, 'pdf');
  const text = decodeText(bytes);
  return text !== null && isHtml(text) ? within(new TextEncoder().encode(text), 'html') : UNUSABLE;
}

/** UTF-8, or the Turkish code page that older report servers write. */
function decodeText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1254').decode(bytes);
  }
}

const HTML_OPENING =
  /^<(?:!doctype html|html|head|body|title|meta|link|style|div|table|section|main|article|header|center|font|span|p|pre|h[1-6]|b|strong|img)(?=[\s/>])/i;

function isHtml(text: string): boolean {
  const head = text
    .slice(0, HEAD_CHARS)
    .replace(/^\s*<\?xml[^>]*>/i, '')
    .replace(/^(?:\s*<!--[^]*?-->)+/, '')
    .trimStart();
  return HTML_OPENING.test(head);
}

function within(bytes: Uint8Array, kind: 'pdf' | 'html'): ReceiptBytes {
  return bytes.length > BYTES_MAX ? { kind: 'unusable', why: 'too_large' } : { kind, bytes };
}

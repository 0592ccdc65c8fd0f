/** Masked contact data, for a role that does not contact people. Pure. */

const PHONE_VISIBLE = 2;

/** 'finans@lodos.test' → 'f***@lodos.test': the domain stays readable, the mailbox does not. */
export function maskEmail(text: string): string {
  const at = text.lastIndexOf('@');
  return at < 1 ? '***' : `${Array.from(text)[0]}***${text.slice(at)}`;
}

/** '5320000142' → '********42'. */
export function maskPhone(text: string): string {
  return text.length <= 2 * PHONE_VISIBLE
    ? '*'.repeat(text.length)
    : '*'.repeat(text.length - PHONE_VISIBLE) + text.slice(-PHONE_VISIBLE);
}

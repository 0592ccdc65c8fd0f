/** How to reach somebody, for a role that need not do so. Pure. */

const PHONE_VISIBLE = 2;

/** 'finans@lodos.test' → 'f***@lodos.test': whose post it is stays readable, the box does not. */
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

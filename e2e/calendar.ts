/** The date in Istanbul that many days ago. */
export function dayBefore(days: number): string {
  const at = new Date(Date.now() - days * 24 * 60 * 60_000);
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Istanbul' }).format(at);
}

/** The month in Istanbul of the day that many days ago. */
export function monthOf(daysAgo: number): string {
  return dayBefore(daysAgo).slice(0, 7);
}

const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bHeadlessChrome\/|\bChrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/**
 * 'Chrome · Windows' from a user agent: enough to recognise one's own device. Null when it contains
 * neither.
 */
export function deviceOf(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const named = (table: readonly [RegExp, string][]): string | undefined =>
    table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const parts = [named(BROWSERS), named(SYSTEMS)].filter((part) => part !== undefined);
  return parts.length === 0 ? null : parts.join(' · ');
}
